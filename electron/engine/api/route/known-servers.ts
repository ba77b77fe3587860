import type { ServerView } from '../../../../shared/model/server.ts';
import { describeUnlistedServer } from '../../../../shared/model/silent-server.ts';
import type { ApiPorts, ServerRecord } from '../contract.ts';
import { ApiError, unknownServer } from '../http/api-error.ts';
import { serverInfo } from './server-answer.ts';

export interface KnownServer {
  readonly record: ServerRecord;
  readonly view: ServerView;
}

type Ports = Pick<ApiPorts, 'hub' | 'registry'>;

export async function knownServers({ hub, registry }: Ports): Promise<readonly KnownServer[]> {
  const views = hub.servers();
  const records = await registry.records(views.map(({ key }) => key));
  return views.flatMap((view, index) => {
    const record = records[index];
    return record === undefined ? [] : [{ record, view }];
  });
}

/** By id or name. Rejects with 404. */
export async function knownServer({ hub, registry }: Ports, idOrKey: string): Promise<KnownServer> {
  const views = hub.servers();
  const record = await registry.find(idOrKey);
  const view = views.find(({ key }) => key === (record?.key ?? idOrKey));
  if (view === undefined) throw unknownServer(idOrKey);
  if (record !== undefined) return { record, view };
  const [made] = await registry.records([view.key]);
  if (made === undefined) throw unknownServer(idOrKey);
  return { record: made, view };
}

/** Creates the 503 for a server that has never been listed. */
export function neverListed(ports: Ports, serverKey: string): Promise<ApiError> {
  const view = ports.hub.servers().find(({ key }) => key === serverKey);
  const { sentence, fix } = describeUnlistedServer(serverKey, view?.status, view?.problem);
  return unavailable(ports, serverKey, sentence, {}, fix);
}

/** Creates the 503 for a server whose tools cannot be called now. */
export async function unavailable(
  { hub, registry }: Ports,
  serverKey: string,
  sentence: string,
  facts: Readonly<Record<string, unknown>> = {},
  fix = 'Connect the server, or see its status for the reason.',
): Promise<ApiError> {
  const [record] = await registry.records([serverKey]);
  const view = hub.servers().find(({ key }) => key === serverKey);
  const server = record === undefined ? undefined : serverInfo(record, view);
  return new ApiError(503, 'ServiceUnavailableError', 'server_unavailable', sentence, {
    fix,
    facts,
    ...(server === undefined ? {} : { server }),
  });
}

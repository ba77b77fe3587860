import { z } from 'zod';
import { negotiateVersion } from '../../../shared/model/greeting.ts';
import type { ClientIntroduction } from '../route/backchannel-contract.ts';

const text = z.string().catch('');

/** Clients are taken as they come: a field that is missing or of a wrong type is no reason to refuse a client. */
const introductionSchema = z
  .looseObject({
    protocolVersion: z.unknown().optional(),
    capabilities: z.record(z.string(), z.unknown()).catch({}),
    clientInfo: z
      .looseObject({ name: text, version: text, title: z.string().optional().catch(undefined) })
      .catch({ name: '', version: '' }),
  })
  .catch({ protocolVersion: undefined, capabilities: {}, clientInfo: { name: '', version: '' } });

/** How a client introduced itself in `initialize`. */
export interface Introduction {
  readonly protocolVersion: unknown;
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  /** What it said it can do. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** All that it said of itself. */
  readonly clientInfo: Readonly<Record<string, unknown>>;
}

export function readIntroduction(params: unknown): Introduction {
  const { protocolVersion, capabilities, clientInfo } = introductionSchema.parse(params ?? {});
  const { name, version, title } = clientInfo;
  return {
    protocolVersion,
    name,
    version,
    capabilities,
    clientInfo,
    ...(title === undefined ? {} : { title }),
  };
}

/** The client as a server of its own is told of it: in its own words, and of the revision that we speak with it. */
export function asToServers({ protocolVersion, capabilities, clientInfo }: Introduction): ClientIntroduction {
  return { protocolVersion: negotiateVersion(protocolVersion), capabilities, clientInfo };
}

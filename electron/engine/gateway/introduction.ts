import { z } from 'zod';
import { negotiateVersion } from '../../../shared/model/greeting.ts';
import type { InitializeParams } from '../route/backchannel-contract.ts';

const text = z.string().catch('');

/** Accepts clients leniently: a missing field or a wrong type is no reason to refuse one. */
const initializeParamsSchema = z
  .looseObject({
    protocolVersion: z.unknown().optional(),
    capabilities: z.record(z.string(), z.unknown()).catch({}),
    clientInfo: z
      .looseObject({ name: text, version: text, title: z.string().optional().catch(undefined) })
      .catch({ name: '', version: '' }),
  })
  .catch({ protocolVersion: undefined, capabilities: {}, clientInfo: { name: '', version: '' } });

/** The `initialize` params of a client. */
export interface ClientInitializeParams {
  readonly protocolVersion: unknown;
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  /** Capabilities that it declared. */
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Everything in its `clientInfo`. */
  readonly clientInfo: Readonly<Record<string, unknown>>;
}

export function readInitializeParams(params: unknown): ClientInitializeParams {
  const { protocolVersion, capabilities, clientInfo } = initializeParamsSchema.parse(params ?? {});
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

/** Converts the params for the session's own servers: unchanged, but with the negotiated protocol version. */
export function toServerParams({
  protocolVersion,
  capabilities,
  clientInfo,
}: ClientInitializeParams): InitializeParams {
  return { protocolVersion: negotiateVersion(protocolVersion), capabilities, clientInfo };
}

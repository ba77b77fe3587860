import { z } from 'zod';
import { isRecord } from '../../../../shared/json.ts';
import { modernVersion } from '../../../../shared/model/mcp.ts';
import type { JsonRpcRequest } from '../../jsonrpc/message.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { isModernVersion, metaKeys, modernErrorCodes } from './protocol.ts';

/** A modern server's answer to `server/discover`, as far as the hub reads it. */
export interface DiscoverResult {
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly serverInfo: Readonly<Record<string, unknown>>;
  readonly instructions?: string | undefined;
}

/** Verdict on the answer to a probe. */
export type ProbeVerdict =
  | { readonly era: 'modern'; readonly version: string; readonly discover: DiscoverResult }
  /** The server refused, and names a modern revision to ask with once more. */
  | { readonly era: 'other'; readonly version: string }
  /** `reason` is a short clause for people. */
  | { readonly era: 'legacy'; readonly reason: string };

/** Id of the probe, which no other request of the connection has. */
export const probeId = 0;

export function discoverRequest(
  id: number,
  clientInfo: Readonly<Record<string, unknown>>,
  version: string = modernVersion,
): JsonRpcRequest {
  const meta = {
    [metaKeys.version]: version,
    [metaKeys.capabilities]: {},
    [metaKeys.clientInfo]: clientInfo,
  };
  return { jsonrpc: '2.0', id, method: 'server/discover', params: { _meta: meta } };
}

/**
 * Judges the answer to a probe. A result proves nothing unless it names a modern revision, because some
 * session-based servers answer any method.
 */
export function readProbe(answer: RawMessage): ProbeVerdict {
  if (answer.kind === 'result') return readDiscover(answer.result);
  const { error } = answer;
  const listed = z.object({ supported: z.array(z.string()) }).safeParse(error?.data);
  if (error?.code === modernErrorCodes.unsupportedVersion && listed.success) {
    const version = newestModern(listed.data.supported);
    if (version !== undefined) return { era: 'other', version };
    return { era: 'legacy', reason: `it supports only ${listed.data.supported.join(', ')}` };
  }
  return { era: 'legacy', reason: 'it does not know server/discover' };
}

function readDiscover(result: unknown): ProbeVerdict {
  const parsed = discoverSchema.safeParse(result);
  if (!parsed.success) return { era: 'legacy', reason: 'its answer to server/discover is not one' };
  const { supportedVersions, capabilities, instructions, _meta } = parsed.data;
  const version = newestModern(supportedVersions);
  if (version === undefined)
    return { era: 'legacy', reason: `it supports only ${supportedVersions.join(', ')}` };
  const info = _meta[metaKeys.serverInfo];
  return {
    era: 'modern',
    version,
    discover: { capabilities, serverInfo: isRecord(info) ? info : {}, instructions },
  };
}

/** Prefers the revision that the hub speaks; a newer one is taken only if that is missing. */
function newestModern(versions: readonly string[]): string | undefined {
  if (versions.includes(modernVersion)) return modernVersion;
  return versions.filter(isModernVersion).sort().at(-1);
}

const discoverSchema = z.object({
  supportedVersions: z.array(z.string()).min(1),
  capabilities: z.record(z.string(), z.unknown()).catch({}),
  instructions: z.string().optional().catch(undefined),
  _meta: z.record(z.string(), z.unknown()).catch({}),
});

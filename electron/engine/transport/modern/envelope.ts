import { isDeeperThan, isRecord } from '../../../../shared/json.ts';
import { modernVersion, protocolVersions } from '../../../../shared/model/mcp.ts';
import { logLevelIndex, logLevels } from '../../../../shared/model/server/log-levels.ts';
import { type JsonRpcErrorObject, rpcErrorCodes } from '../../jsonrpc/message.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { metaKeys, unsupportedVersion } from './protocol.ts';

/** Envelope of a modern request. */
export interface Envelope {
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly clientInfo: Readonly<Record<string, unknown>> | undefined;
  /** Index into `logLevels`; undefined if the client wants no log messages for this request. */
  readonly logLevel: number | undefined;
  /** As JSON, so that no digit is lost. */
  readonly progressToken: string | undefined;
}

/** Revisions that the hub speaks with clients, newest first. */
export const supportedVersions: readonly string[] = [modernVersion, ...protocolVersions];

/** Tells whether a message claims to be stateless, rightly or not. */
export function isEnveloped(message: RawMessage): boolean {
  return message.paramText('meta')?.includes(metaKeys.version) === true;
}

/** Nesting of an envelope, whose members are printed again. */
const maxDepth = 64;

/** Reads and checks the envelope of a request; a member that repeats or is missing is an error. */
export function readEnvelope(message: RawMessage): EnvelopeOrError {
  const meta = metaOf(message);
  const known = envelopes.get(meta) ?? checkEnvelope(meta, message);
  envelopes.set(meta, known);
  return known;
}

type EnvelopeOrError = Envelope | { readonly error: JsonRpcErrorObject };

/** By `_meta`, which several requests may share. */
const envelopes = new WeakMap<object, EnvelopeOrError>();

function checkEnvelope(meta: Readonly<Record<string, unknown>>, message: RawMessage): EnvelopeOrError {
  const version = meta[metaKeys.version];
  if (typeof version !== 'string') return invalid(`_meta must name ${metaKeys.version}`);
  if (version !== modernVersion) return { error: unsupportedVersion(version, supportedVersions) };
  const capabilities = meta[metaKeys.capabilities];
  if (!isRecord(capabilities)) return invalid(`_meta must have the object ${metaKeys.capabilities}`);
  if (isDeeperThan(capabilities, maxDepth)) return invalid(`${metaKeys.capabilities} is nested too deeply`);
  const level = meta[metaKeys.logLevel];
  const logLevel = logLevelIndex(level);
  if (level !== undefined && level !== null && logLevel === -1)
    return invalid(`${metaKeys.logLevel} must be one of ${logLevels.join(', ')}`);
  const info = meta[metaKeys.clientInfo];
  const token = meta.progressToken;
  return {
    capabilities,
    clientInfo: isRecord(info) && !isDeeperThan(info, maxDepth) ? info : undefined,
    logLevel: logLevel === -1 ? undefined : logLevel,
    progressToken:
      typeof token === 'string' || typeof token === 'number' ? message.paramText('metaToken') : undefined,
  };
}

/** Reads `_meta` without the rest of the message. Most requests of a client have the same one, which is read once. */
export function metaOf(message: RawMessage): Readonly<Record<string, unknown>> {
  const text = message.paramText('meta');
  if (text === undefined) return {};
  const known = metas.get(text);
  if (known !== undefined) return known;
  const meta: unknown = JSON.parse(text);
  const read = isRecord(meta) ? meta : {};
  if (metas.size >= maxMetas) metas.clear();
  if (text.length <= maxMetaLength) metas.set(text, read);
  return read;
}

const metas = new Map<string, Readonly<Record<string, unknown>>>();
const maxMetas = 64;
const maxMetaLength = 4_096;

function invalid(message: string): { readonly error: JsonRpcErrorObject } {
  return { error: { code: rpcErrorCodes.invalidParams, message } };
}

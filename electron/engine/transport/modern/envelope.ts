import { isDeeperThan, isRecord } from '../../../../shared/json.ts';
import { modernVersion, protocolVersions } from '../../../../shared/model/mcp.ts';
import { logLevelIndex, logLevels } from '../../../../shared/model/server/log-levels.ts';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '../../jsonrpc/json/json-scan.ts';
import { type JsonRpcErrorObject, rpcErrorCodes } from '../../jsonrpc/message.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { hopKeys, metaKeys, unsupportedVersion } from './protocol.ts';

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
  const meta = message.paramText('meta');
  if (meta === undefined) return false;
  // Names may be written with escapes.
  return meta.includes(metaKeys.version) || (meta.includes('\\') && metaKeys.version in metaOf(message));
}

/** Tells whether the state of a request is a modern server's, which the hub has put there or let pass. */
export function goesOn(message: RawMessage): boolean {
  if (message.paramText('clientCapabilities') !== undefined) return true;
  return message.paramText('meta')?.includes(hopKeys.goesOn) ?? false;
}

/** Nesting of an envelope, whose members are printed again. */
const maxDepth = 64;
/** Nesting of a whole `_meta`; reading one that is nested millions of times takes seconds. */
const maxMetaDepth = 10_000;

/** Reads and checks the envelope of a request; a member that repeats or is missing is an error. */
export function readEnvelope(message: RawMessage): EnvelopeOrError {
  const meta = knownMetaOf(message);
  meta.envelope ??= checkEnvelope(meta.members, message);
  return meta.envelope;
}

type EnvelopeOrError = Envelope | { readonly error: JsonRpcErrorObject };

function checkEnvelope(meta: Members, message: RawMessage): EnvelopeOrError {
  if (meta === tooDeepMeta) return invalid('_meta is nested too deeply');
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

type Members = Readonly<Record<string, unknown>>;

/** A `_meta`, which several requests may share. */
interface KnownMeta {
  readonly text: string;
  readonly members: Members;
  /** Set once somebody has asked for it. */
  envelope?: EnvelopeOrError;
}

/** Reads `_meta` without the rest of the message. */
export function metaOf(message: RawMessage): Members {
  return knownMetaOf(message).members;
}

/** Most requests of a client have the same one, which is read once. */
function knownMetaOf(message: RawMessage): KnownMeta {
  const text = message.paramText('meta');
  if (text === lastMeta.text) return lastMeta;
  if (text === undefined) return { text: '', members: {} };
  if (text.length > maxMetaLength) return longMetaOf(message, text);
  let known = metas.get(text);
  if (known === undefined) {
    if (metas.size >= maxMetas) metas.clear();
    known = { text, members: parseMeta(text) };
    metas.set(text, known);
  }
  lastMeta = known;
  return known;
}

function longMetaOf(message: RawMessage, text: string): KnownMeta {
  let known = longMetas.get(message);
  if (known === undefined) {
    known = { text, members: nestsDeeper(text, maxMetaDepth) ? tooDeepMeta : parseMeta(text) };
    longMetas.set(message, known);
  }
  return known;
}

function parseMeta(text: string): Members {
  const meta: unknown = JSON.parse(text);
  return isRecord(meta) ? meta : {};
}

/** Tells whether JSON opens more than `levels` objects and lists, without reading what is inside. */
function nestsDeeper(json: string, levels: number): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) isText = !isText;
    else if (isText) at += character === BACKSLASH ? 1 : 0;
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) depth += 1;
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

const metas = new Map<string, KnownMeta>();
/** Compared first, because a lookup reads all of the text for its hash. */
let lastMeta: KnownMeta = { text: '{}', members: {} };
const longMetas = new WeakMap<RawMessage, KnownMeta>();
const tooDeepMeta: Members = {};
const maxMetas = 64;
const maxMetaLength = 4_096;

function invalid(message: string): { readonly error: JsonRpcErrorObject } {
  return { error: { code: rpcErrorCodes.invalidParams, message } };
}

import type { Clock } from '../../base/clock.ts';
import { type JsonRpcErrorObject, rpcErrorCodes } from '../../jsonrpc/message.ts';
import type { ProbeVerdict } from './discover.ts';
import type { Era } from './era.ts';
import { isModernVersion, modernErrorCodes } from './protocol.ts';

/** Refusal of a message, as far as it may show how a server speaks. */
export interface EraRefusal {
  /** Method of the message. */
  readonly method: string | undefined;
  /** 200 for an error in an ordinary answer. */
  readonly status: number;
  readonly error: JsonRpcErrorObject | undefined;
}

export interface EraWatchOptions {
  readonly clock: Clock;
  /** Asks the server for its era; undefined if nothing is learnt. */
  readonly ask: () => Promise<ProbeVerdict | undefined>;
  /** False if the config says how the server speaks, so that only its own words count. */
  readonly mayAsk: boolean;
}

/**
 * Finds out whether a connected server was replaced by one of the other era: a refusal that may come from such a
 * one makes it ask again. Pauses grow while the answer stays the same, since some servers refuse for other reasons;
 * a refused `server/discover` is asked again at once, as only health checks send it.
 */
export class EraWatch {
  readonly #options: EraWatchOptions;
  #asking: Promise<boolean> | undefined;
  #fruitless = 0;
  #quietUntil = Number.NEGATIVE_INFINITY;

  constructor(options: EraWatchOptions) {
    this.#options = options;
  }

  /** Resolves with true if the server has another era than this one. */
  async hasChanged(from: Era, refusal: EraRefusal): Promise<boolean> {
    if (!mayBeOtherEra(from, refusal)) return false;
    if (!this.#options.mayAsk) return namesModernOnly(refusal.error);
    const isQuiet = this.#options.clock.uptime() < this.#quietUntil;
    if (isQuiet && refusal.method !== 'server/discover') return false;
    this.#asking ??= this.#ask(from).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #ask(from: Era): Promise<boolean> {
    const { clock, ask } = this.#options;
    // A sign-in that is needed first is no evidence.
    const found = await ask().catch(() => undefined);
    if (found !== undefined && (found.era === 'legacy') !== (from === 'legacy')) return true;
    this.#fruitless += 1;
    const doublings = this.#fruitless - promptQuestions;
    if (doublings >= 0) this.#quietUntil = clock.uptime() + Math.min(minPauseMs * 2 ** doublings, maxPauseMs);
    return false;
  }
}

/** Fruitless questions before the first pause. */
const promptQuestions = 3;
const minPauseMs = 1_000;
const maxPauseMs = 60_000;

/**
 * Tells whether a refusal may come from a server of the other era: one without sessions misses the envelope, one
 * with sessions does not know the version, the method, or the session.
 */
export function mayBeOtherEra(from: Era, { method, status, error }: EraRefusal): boolean {
  const code = error?.code;
  if (status === 401 || status === 403 || status >= 500) return false;
  if (code === modernErrorCodes.unsupportedVersion) return true;
  if (from === 'legacy') {
    if (code === modernErrorCodes.headerMismatch) return true;
    if (code === rpcErrorCodes.methodNotFound) return method === 'ping' || status === 404;
    return code === rpcErrorCodes.invalidParams && status === 400;
  }
  if (code === modernErrorCodes.headerMismatch || code === modernErrorCodes.missingCapability) return false;
  if (method === 'server/discover') return true;
  return status === 200 ? error !== undefined && isAboutSession(error) : otherStatuses.has(status);
}

/** Tells whether a refusal by a server of the other era shows that it has not acted on the message. */
export function isBeforeActing(from: Era, { status, error }: EraRefusal): boolean {
  // An error of the handler would come as one of JSON-RPC.
  if (error === undefined) return true;
  if (from === 'legacy' || error.code === modernErrorCodes.unsupportedVersion) return true;
  const isUnread = error.code === rpcErrorCodes.invalidRequest || error.code === rpcErrorCodes.methodNotFound;
  return isUnread || status === 404 || status === 405 || isAboutSession(error);
}

/** Statuses with which servers with sessions refuse a request that belongs to none. */
const otherStatuses: ReadonlySet<number> = new Set([400, 404, 405, 406, 409, 410, 415, 422]);

function isAboutSession({ message }: JsonRpcErrorObject): boolean {
  return aboutSession.test(message);
}

const aboutSession = /session|initiali[sz]ed|protocol.?version/i;

/** Tells whether an error says that the server has no revision with sessions. */
export function namesModernOnly(error: Pick<JsonRpcErrorObject, 'code' | 'data'> | undefined): boolean {
  if (error?.code !== modernErrorCodes.unsupportedVersion) return false;
  const { supported } = (error.data ?? {}) as { readonly supported?: unknown };
  return Array.isArray(supported) && supported.length > 0 && supported.every(isModernVersion);
}

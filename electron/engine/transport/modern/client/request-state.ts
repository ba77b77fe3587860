import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isDeeperThan, isRecord } from '../../../../../shared/json.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import { parseParams } from '../edit-message.ts';

/**
 * Seals the `requestState` of parked calls: a handle, bound to the method, the params and the round by a key
 * that lives as long as this program. Everything else about the call stays here.
 */
export class RequestStates {
  readonly #key = randomBytes(32);

  create(binding: StateBinding): string {
    const body = `${thisRun}.${binding.handle}.${binding.round}`;
    return `${body}.${this.#sign(body, binding)}`;
  }

  /** Returns the handle and round that a state names, before its seal is checked. */
  parse(state: unknown): { readonly handle: string; readonly round: number } | 'earlier-run' | undefined {
    const parts = typeof state === 'string' && state.length < maxLength ? state.split('.') : [];
    const [run, handle, round] = parts;
    if (parts.length !== 4 || handle === undefined || round === undefined) return undefined;
    if (run !== thisRun) return 'earlier-run';
    return { handle, round: Number(round) };
  }

  /** Checks the seal in constant time. */
  verify(state: string, binding: StateBinding): boolean {
    const expected = Buffer.from(this.create(binding));
    const given = Buffer.from(state);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }

  #sign(body: string, { method, digest }: StateBinding): string {
    return createHmac('sha256', this.#key).update(`${body}.${method}.${digest}`).digest('base64url');
  }
}

/**
 * Tells states of an earlier run from forged ones and from those of another session, which must not look like
 * that; not a secret.
 */
const thisRun = randomBytes(6).toString('base64url');

export interface StateBinding {
  readonly handle: string;
  readonly round: number;
  readonly method: string;
  /** See {@link digestRequest}. */
  readonly digest: string;
}

export function createHandle(): string {
  return randomBytes(18).toString('base64url');
}

/**
 * Digests the params of a request without what differs from round to round. The order of members does not
 * matter, unless they are nested too deeply to be sorted.
 */
export function digestRequest(request: RawMessage): string {
  const { _meta, inputResponses, requestState, ...lasting } = parseParams(request);
  const isSortable = !isDeeperThan(lasting, maxSortDepth);
  const text = isSortable ? JSON.stringify(sorted(lasting)) : (request.argumentsBytes ?? '');
  return createHash('sha256').update(text).digest('base64url');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, sorted(value[name])]);
}

const maxLength = 512;
const maxSortDepth = 500;

import { ApiError } from '../http/api-error.ts';

/** Limits concurrent calls of one identity, so that it cannot take the hub from others. */
export class CallSlots {
  readonly #used = new Map<string, number>();
  readonly #max: number;

  constructor(max = maxConcurrentCalls) {
    this.#max = max;
  }

  async run<T>(identityId: string, call: () => Promise<T>): Promise<T> {
    const used = this.#used.get(identityId) ?? 0;
    if (used >= this.#max) {
      const sentence = `${this.#max} calls of this identity are already in progress.`;
      throw new ApiError(429, 'RateLimitError', 'rate_limited', sentence, {
        fix: 'Wait until one of them ends.',
        retryAfter: 1,
      });
    }
    this.#used.set(identityId, used + 1);
    try {
      return await call();
    } finally {
      const left = (this.#used.get(identityId) ?? 1) - 1;
      if (left === 0) this.#used.delete(identityId);
      else this.#used.set(identityId, left);
    }
  }
}

const maxConcurrentCalls = 256;

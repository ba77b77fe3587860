import { type Clock, delay } from '../../base/clock.ts';
import type { Fetch } from '../http-connections.ts';
import { withinOrigin } from '../remote/within-origin.ts';
import { type Members, membersOf } from './read-answer.ts';
import { isTransientRefusal, readServiceRefusal, ServiceRefusal } from './service-refusal.ts';

export interface ServiceFetchOptions {
  /**
   * Extracts the needed members in the form that the SDK expects; undefined if the response does not have
   * them.
   */
  readonly read: (members: Members) => object | undefined;
  /** Masked wherever the response quotes them. */
  readonly secrets?: readonly string[];
}

/**
 * Creates a fetch for the SDK's exchanges: normalizes the responses of services and rejects with
 * ServiceRefusal for any other response.
 */
export function createServiceFetch(fetch: Fetch, { read, secrets = [] }: ServiceFetchOptions): Fetch {
  return async (url, init) => {
    const response = await withinOrigin(fetch)(url, init);
    const text = await response.text();
    const members = membersOf(text);
    const answer = response.ok && members !== undefined ? read(members) : undefined;
    const { status, headers } = response;
    if (answer === undefined)
      throw readServiceRefusal({ status, headers, url: String(url) }, text, members, secrets);
    return Response.json(answer);
  };
}

/** Retries an exchange, at most twice, while the service is busy or unreachable. */
export async function withRetries<T>(clock: Clock, exchange: () => Promise<T>): Promise<T> {
  for (const pause of retryDelaysMs) {
    try {
      return await exchange();
    } catch (error) {
      if (error instanceof ServiceRefusal && !isTransientRefusal(error)) throw error;
      await delay(clock, pause);
    }
  }
  return exchange();
}

/** In milliseconds. */
const retryDelaysMs = [500, 1500];

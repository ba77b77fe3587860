import { type Clock, delay } from '../../base/clock.ts';
import type { Fetch } from '../http-connections.ts';
import { withinOrigin } from '../remote/within-origin.ts';
import { type Members, membersOf } from './read-answer.ts';
import { isPassingRefusal, readRefusal, ServiceRefusal } from './service-refusal.ts';

export interface ServiceFetchOptions {
  /** Takes what is needed out of an answer, in the form that the SDK reads; undefined if it is no such answer. */
  readonly read: (members: Members) => object | undefined;
  /** Never shown, also where the answer quotes them. */
  readonly secrets?: readonly string[];
}

/** A fetch for the SDK's exchanges: reads answers as services write them and rejects with ServiceRefusal for any other. */
export function createServiceFetch(fetch: Fetch, { read, secrets = [] }: ServiceFetchOptions): Fetch {
  return async (url, init) => {
    const response = await withinOrigin(fetch)(url, init);
    const text = await response.text();
    const members = membersOf(text);
    const answer = response.ok && members !== undefined ? read(members) : undefined;
    const { status, headers } = response;
    if (answer === undefined)
      throw readRefusal({ status, headers, url: String(url) }, text, members, secrets);
    return Response.json(answer);
  };
}

/** Runs an exchange again, twice at most, while the service is busy or out of reach. */
export async function patiently<T>(clock: Clock, exchange: () => Promise<T>): Promise<T> {
  for (const pause of pauses) {
    try {
      return await exchange();
    } catch (error) {
      if (error instanceof ServiceRefusal && !isPassingRefusal(error)) throw error;
      await delay(clock, pause);
    }
  }
  return exchange();
}

/** Milliseconds. */
const pauses = [500, 1500];

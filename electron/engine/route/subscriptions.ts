import type { Caller } from './backchannel-contract.ts';

type Forward = () => Promise<unknown>;

/** Subscriptions of sessions to resources. A server gets one subscription, however many sessions share it. */
export class Subscriptions {
  readonly #byServer = new Map<string, Map<string, Map<Caller, 'asked' | 'held'>>>();

  async subscribe(caller: Caller, serverKey: string, uri: string, forward: Forward): Promise<unknown> {
    const before = this.#subscribers(serverKey, uri);
    const isSubscribed = [...(before?.values() ?? [])].includes('held');
    const subscribers = before ?? this.#create(serverKey, uri);
    // Counted before the server responds, so that another session leaving does not end the subscription
    // meanwhile.
    if (subscribers.get(caller) !== 'held') subscribers.set(caller, isSubscribed ? 'held' : 'asked');
    if (isSubscribed) return {};
    try {
      const result = await forward();
      if (subscribers.has(caller)) subscribers.set(caller, 'held');
      return result;
    } catch (error) {
      if (subscribers.get(caller) === 'asked') this.#leave(caller, serverKey, uri);
      throw error;
    }
  }

  /**
   * A session that never subscribed gets the server's response, unless forwarding would end the subscriptions
   * of others.
   */
  async unsubscribe(caller: Caller, serverKey: string, uri: string, forward: Forward): Promise<unknown> {
    this.#leave(caller, serverKey, uri);
    return this.#subscribers(serverKey, uri) === undefined ? forward() : {};
  }

  /** Removes a session and returns the resources that nobody is subscribed to any more. */
  drop(caller: Caller): readonly { readonly serverKey: string; readonly uri: string }[] {
    const subscribed = [...this.#byServer].flatMap(([serverKey, uris]) =>
      [...uris].flatMap(([uri, subscribers]) => (subscribers.has(caller) ? [{ serverKey, uri }] : [])),
    );
    for (const { serverKey, uri } of subscribed) this.#leave(caller, serverKey, uri);
    return subscribed.filter(({ serverKey, uri }) => this.#subscribers(serverKey, uri) === undefined);
  }

  /** Returns the subscriptions to restore after a restart. */
  urisOf(serverKey: string): readonly string[] {
    return [...(this.#byServer.get(serverKey)?.keys() ?? [])];
  }

  /** Returns the subscribers of this resource, or of one that contains it: servers may report the part. */
  subscribersOf(serverKey: string, uri: unknown): readonly Caller[] {
    const uris = this.#byServer.get(serverKey);
    if (uris === undefined || typeof uri !== 'string') return [];
    const exact = uris.get(uri);
    if (exact !== undefined) return [...exact.keys()];
    const containing = [...uris].filter(([whole]) => isPartOf(uri, whole));
    return [...new Set(containing.flatMap(([, subscribers]) => [...subscribers.keys()]))];
  }

  #subscribers(serverKey: string, uri: string) {
    return this.#byServer.get(serverKey)?.get(uri);
  }

  #create(serverKey: string, uri: string): Map<Caller, 'asked' | 'held'> {
    const uris = this.#byServer.get(serverKey) ?? new Map();
    this.#byServer.set(serverKey, uris);
    const subscribers = new Map<Caller, 'asked' | 'held'>();
    uris.set(uri, subscribers);
    return subscribers;
  }

  #leave(caller: Caller, serverKey: string, uri: string): void {
    const uris = this.#byServer.get(serverKey);
    const subscribers = uris?.get(uri);
    subscribers?.delete(caller);
    if (subscribers?.size === 0) uris?.delete(uri);
    if (uris?.size === 0) this.#byServer.delete(serverKey);
  }
}

function isPartOf(uri: string, container: string): boolean {
  return (
    uri.startsWith(container) && (container.endsWith('/') || '/?#'.includes(uri.charAt(container.length)))
  );
}

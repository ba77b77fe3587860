import { isRecord } from '../../../../shared/json.ts';
import type { JsonRpcId } from '../../jsonrpc/message.ts';
import type { ClientChannel } from './client-channel.ts';
import { metaKeys } from './protocol.ts';

interface Listen {
  readonly id: JsonRpcId;
  readonly channel: ClientChannel;
  readonly methods: ReadonlySet<string>;
  readonly uris: ReadonlySet<string>;
}

/** Subscribes to a resource in the session, or ends that. */
export type Subscribe = (method: 'resources/subscribe' | 'resources/unsubscribe', uri: string) => void;

/** The open `subscriptions/listen` requests of a modern client, fed from the notifications of one session. */
export class ClientListens {
  readonly #open = new Set<Listen>();
  readonly #subscribe: Subscribe;

  constructor(subscribe: Subscribe) {
    this.#subscribe = subscribe;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Opens a listen and acknowledges what the session can tell; returns a function that ends it. */
  open(
    id: JsonRpcId,
    asked: unknown,
    capabilities: Readonly<Record<string, unknown>>,
    channel: ClientChannel,
  ): () => void {
    const wanted = isRecord(asked) ? asked : {};
    const honoured = listChanges.filter(
      ({ member, capability }) => wanted[member] === true && hasFlag(capabilities[capability], 'listChanged'),
    );
    const texts = Array.isArray(wanted.resourceSubscriptions) ? wanted.resourceSubscriptions : [];
    const canSubscribe = hasFlag(capabilities.resources, 'subscribe');
    const uris = canSubscribe ? texts.filter((uri) => typeof uri === 'string').slice(0, maxUris) : [];
    const listen: Listen = {
      id,
      channel,
      methods: new Set(honoured.map(({ method }) => method)),
      uris: new Set(uris),
    };
    const notifications = {
      ...Object.fromEntries(honoured.map(({ member }) => [member, true])),
      ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }),
    };
    this.#send(listen, 'notifications/subscriptions/acknowledged', { notifications });
    for (const uri of listen.uris) if (!this.#isSubscribed(uri)) this.#subscribe('resources/subscribe', uri);
    this.#open.add(listen);
    return () => this.#end(listen);
  }

  /** Passes a notification of the session on; true if it is one that only listens carry. */
  onNotification(method: string, params: Readonly<Record<string, unknown>> | undefined): boolean {
    const isUpdate = method === 'notifications/resources/updated';
    if (!isUpdate && !listChanges.some((change) => change.method === method)) return false;
    for (const listen of this.#open) {
      const isWanted = isUpdate ? listen.uris.has(String(params?.uri)) : listen.methods.has(method);
      if (isWanted) this.#send(listen, method, params);
    }
    return true;
  }

  /** Ends all of them with their result. */
  close(): void {
    for (const { id, channel } of this.#open) {
      const result = { resultType: 'complete', _meta: { [metaKeys.subscriptionId]: id } };
      channel.send({ jsonrpc: '2.0', id, result }).catch(ignore);
    }
    this.#open.clear();
  }

  #end(listen: Listen): void {
    if (!this.#open.delete(listen)) return;
    for (const uri of listen.uris)
      if (!this.#isSubscribed(uri)) this.#subscribe('resources/unsubscribe', uri);
  }

  #isSubscribed(uri: string): boolean {
    return [...this.#open].some(({ uris }) => uris.has(uri));
  }

  #send({ id, channel }: Listen, method: string, params: Readonly<Record<string, unknown>> = {}): void {
    const given = isRecord(params._meta) ? params._meta : {};
    const _meta = { ...given, [metaKeys.subscriptionId]: id };
    channel.send({ jsonrpc: '2.0', method, params: { ...params, _meta } }).catch(ignore);
  }
}

const listChanges = [
  { member: 'toolsListChanged', capability: 'tools', method: 'notifications/tools/list_changed' },
  { member: 'promptsListChanged', capability: 'prompts', method: 'notifications/prompts/list_changed' },
  { member: 'resourcesListChanged', capability: 'resources', method: 'notifications/resources/list_changed' },
] as const;
const maxUris = 1_000;
const ignore = () => {};

function hasFlag(capability: unknown, flag: string): boolean {
  return isRecord(capability) && capability[flag] === true;
}

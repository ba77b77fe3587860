import { isRecord } from '../../../../shared/json.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { toRaw } from '../../jsonrpc/read-message.ts';
import type { ClientChannel } from './client-channel.ts';
import { editMessage, messageOf, withoutReserved } from './edit-message.ts';
import { metaKeys } from './protocol.ts';

interface Listen {
  /** Id of its request, as JSON. */
  readonly id: string;
  readonly channel: ClientChannel;
  readonly methods: ReadonlySet<string | undefined>;
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
    id: string,
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
      methods: new Set<string | undefined>(honoured.map(({ method }) => method)),
      uris: new Set(uris),
    };
    const notifications = {
      ...Object.fromEntries(honoured.map(({ member }) => [member, true])),
      ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }),
    };
    const method = 'notifications/subscriptions/acknowledged';
    this.#send(listen, toRaw({ jsonrpc: '2.0', method, params: { notifications } }));
    for (const uri of listen.uris) if (!this.#isSubscribed(uri)) this.#subscribe('resources/subscribe', uri);
    this.#open.add(listen);
    return () => this.#end(listen);
  }

  /** Passes a notification of the session on; true if it is one that only listens carry. */
  onNotification(message: RawMessage): boolean {
    const isUpdate = message.method === 'notifications/resources/updated';
    if (!isUpdate && !listChanges.some(({ method }) => method === message.method)) return false;
    const uri = isUpdate ? message.param('uri') : undefined;
    for (const listen of this.#open) {
      const isWanted = isUpdate
        ? typeof uri === 'string' && listen.uris.has(uri)
        : listen.methods.has(message.method);
      if (isWanted) this.#send(listen, withoutReserved(message, ['params', '_meta']));
    }
    return true;
  }

  /** Ends all of them with their result. */
  close(): void {
    for (const { id, channel } of this.#open) {
      const meta = `{"${metaKeys.subscriptionId}":${id}}`;
      const result = `{"resultType":"complete","_meta":${meta}}`;
      channel.send(messageOf(`{"jsonrpc":"2.0","id":${id},"result":${result}}`)).catch(ignore);
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

  #send({ id, channel }: Listen, message: RawMessage): void {
    const stamp = [{ name: metaKeys.subscriptionId, value: Buffer.from(id) }];
    channel.send(editMessage(message, ['params', '_meta'], stamp)).catch(ignore);
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

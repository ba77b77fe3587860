import { isRecord } from '../../../../../shared/json.ts';
import { type Clock, delay } from '../../../base/clock.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import { toRaw } from '../../../jsonrpc/read-message.ts';
import { editMessage, messageOf, withoutReserved } from '../edit-message.ts';
import { announcedChanges, hasFlag, listChanges } from '../list-changes.ts';
import { metaKeys } from '../protocol.ts';
import type { ClientChannel } from './client-channel.ts';

interface Listen {
  /** Id of its request, as JSON. */
  readonly id: string;
  readonly channel: ClientChannel;
  readonly methods: ReadonlySet<string | undefined>;
  readonly uris: Set<string>;
  readonly taskIds: ReadonlySet<string>;
  /** Notifications that came before the acknowledgement, the last about each thing; undefined after it. */
  early: Map<string, RawMessage> | undefined;
}

/** Subscribes to a resource in the session, or ends that. */
export type Subscribe = (
  method: 'resources/subscribe' | 'resources/unsubscribe',
  uri: string,
  onAnswer?: (answer: RawMessage) => void,
) => void;

/** The open `subscriptions/listen` requests of a modern client, fed from the notifications of one session. */
export class ClientListens {
  readonly #open = new Set<Listen>();
  /** Resources that are subscribed to in the session, with what its servers say to that. */
  readonly #subscribed = new Map<string, Promise<'agreed' | 'refused'>>();
  readonly #clock: Clock;
  readonly #subscribe: Subscribe;

  constructor(clock: Clock, subscribe: Subscribe) {
    this.#clock = clock;
    this.#subscribe = subscribe;
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Opens a listen and acknowledges what the session notifies about, once servers have answered about the resources
   * or time is up; returns a function that ends it.
   */
  open(
    id: string,
    asked: unknown,
    capabilities: Readonly<Record<string, unknown>>,
    channel: ClientChannel,
    watchedTasks: ReadonlySet<string> = new Set(),
  ): () => void {
    const wanted = isRecord(asked) ? asked : {};
    const honoured = announcedChanges(capabilities).filter(({ member }) => wanted[member] === true);
    const texts = Array.isArray(wanted.resourceSubscriptions) ? wanted.resourceSubscriptions : [];
    const canSubscribe = hasFlag(capabilities.resources, 'subscribe');
    const uris = canSubscribe ? texts.filter((uri) => typeof uri === 'string').slice(0, maxUris) : [];
    const listen: Listen = {
      id,
      channel,
      methods: new Set<string | undefined>(honoured.map(({ method }) => method)),
      uris: new Set(uris),
      taskIds: watchedTasks,
      early: new Map(),
    };
    this.#open.add(listen);
    const flags = Object.fromEntries(honoured.map(({ member }) => [member, true]));
    if (listen.uris.size === 0) this.#acknowledge(listen, flags, []);
    else void this.#followed(listen).then((agreed) => this.#acknowledge(listen, flags, agreed));
    return () => this.#end(listen);
  }

  /** Subscribes to the resources of a listen; resolves with those whose servers have agreed in time. */
  async #followed({ uris }: Listen): Promise<readonly string[]> {
    const agreed = new Set<string>();
    const answered = new AbortController();
    const answers = [...uris].map(async (uri) => {
      if ((await this.#follow(uri)) === 'agreed') agreed.add(uri);
      else uris.delete(uri);
    });
    await Promise.race([Promise.all(answers), delay(this.#clock, agreeMs, answered.signal)]);
    answered.abort();
    return [...uris].filter((uri) => agreed.has(uri));
  }

  /** Subscribes to a resource, unless another listen has; one that was refused may be asked for again. */
  #follow(uri: string): Promise<'agreed' | 'refused'> {
    const known = this.#subscribed.get(uri);
    if (known !== undefined) return known;
    const agreement = new Promise<'agreed' | 'refused'>((resolve) => {
      this.#subscribe('resources/subscribe', uri, ({ kind }) =>
        resolve(kind === 'result' ? 'agreed' : 'refused'),
      );
    });
    this.#subscribed.set(uri, agreement);
    void agreement.then((outcome) => {
      if (outcome === 'refused' && this.#subscribed.get(uri) === agreement) this.#subscribed.delete(uri);
    });
    return agreement;
  }

  /** Sends the acknowledgement, which is the first message of a listen, and all that had to wait for it. */
  #acknowledge(listen: Listen, flags: Readonly<Record<string, boolean>>, uris: readonly string[]): void {
    const { taskIds, early } = listen;
    if (!this.#open.has(listen)) return;
    const notifications = {
      ...flags,
      ...(uris.length === 0 ? {} : { resourceSubscriptions: uris }),
      ...(taskIds.size === 0 ? {} : { taskIds: [...taskIds] }),
    };
    listen.early = undefined;
    const method = 'notifications/subscriptions/acknowledged';
    this.#send(listen, toRaw({ jsonrpc: '2.0', method, params: { notifications } }));
    for (const message of early?.values() ?? []) this.#send(listen, message);
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
      if (isWanted)
        this.#notify(listen, `${message.method} ${uri}`, withoutReserved(message, ['params', '_meta']));
    }
    return true;
  }

  hasTask(taskId: string): boolean {
    return [...this.#open].some(({ taskIds }) => taskIds.has(taskId));
  }

  /** Sends the state of a task, given as JSON, to those who listen. */
  onTask(taskId: string, state: Buffer): void {
    const message = messageOf('{"jsonrpc":"2.0","method":"notifications/tasks","params":', state, '}');
    for (const listen of this.#open)
      if (listen.taskIds.has(taskId)) this.#notify(listen, `task ${taskId}`, message);
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
      if (!this.#isSubscribed(uri) && this.#subscribed.delete(uri))
        this.#subscribe('resources/unsubscribe', uri);
  }

  #isSubscribed(uri: string): boolean {
    return [...this.#open].some(({ uris }) => uris.has(uri));
  }

  #notify(listen: Listen, about: string, message: RawMessage): void {
    if (listen.early === undefined) this.#send(listen, message);
    else listen.early.set(about, message);
  }

  #send({ id, channel }: Listen, message: RawMessage): void {
    const stamp = [{ name: metaKeys.subscriptionId, value: Buffer.from(id) }];
    channel.send(editMessage(message, ['params', '_meta'], stamp)).catch(ignore);
  }
}

const maxUris = 1_000;
/** Milliseconds in which servers agree to notify about resources; clients may not wait a second for the acknowledgement. */
const agreeMs = 500;
const ignore = () => {};

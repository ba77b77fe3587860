import { ungreetedError } from '../../shared/model/greeting.ts';
import type { Clock } from '../engine/base/clock.ts';
import { isListMethod } from '../engine/catalogue/list-answer.ts';
import { answerWith, refuseWith } from '../engine/rpc/answer.ts';
import { RpcError } from '../engine/rpc/message.ts';
import { isId } from '../engine/rpc/message-kind.ts';
import type { RawMessage, RawRequest } from '../engine/rpc/raw-message.ts';
import { toRaw, type WireMessage } from '../engine/rpc/read-message.ts';
import type { Transport } from '../engine/rpc/transport.ts';
import { type Attached, wordsForClient, wordsForHub } from './attachment-words.ts';
import type { ConnectionEnd } from './bridge-problem.ts';
import { ClientWishes, wishes } from './client-wishes.ts';
import { digestOfAnswer, type HeldLists } from './held-lists.ts';
import { createHubAttachment, type HubAttachment } from './hub-attachment.ts';
import type { HubLink, HubLinkOptions } from './hub-link.ts';
import { HubQuestions } from './hub-questions.ts';
import type { HubAbsence, Wish } from './hub-starter.ts';
import { clientName, idInUse, notice, refusals } from './messages.ts';
import type { Offline } from './offline.ts';
import { PendingRequests } from './pending.ts';
import { RequestDesk } from './request-desk.ts';
import { tell } from './tell.ts';

export interface RelayOptions {
  /** Transport to the client; not started. */
  readonly client: Transport;
  readonly offline: Offline;
  readonly link: (handlers: Pick<HubLinkOptions, 'wish' | 'onConnected' | 'onFailed'>) => HubLink;
  readonly absence: HubAbsence;
  readonly clock: Clock;
  /** Writes one line to the client's log of this program. */
  readonly note: (text: string) => void;
  /** Returns true if the client's input has ended; it may still read pending answers. */
  readonly isLeaving?: () => boolean;
  /** Called each time a hub is attached. */
  readonly onAttached?: () => void;
  /** Called when the client has gone. */
  readonly onEnd: () => void;
}

type Client =
  | { readonly kind: 'new' }
  /** `initialized`: notifications may be sent to it. */
  | { readonly kind: 'greeted' | 'initialized'; readonly name: string };

/**
 * Connects one client with the hub, whenever there is one. Answers `initialize` and lists at once from the
 * files the hub left; everything else waits for the hub, for a limited time. Each request gets exactly one
 * answer.
 */
export async function runRelay(options: RelayOptions): Promise<void> {
  await new Relay(options).start();
}

class Relay {
  readonly #options: RelayOptions;
  readonly #pending: PendingRequests;
  /** Digests of the lists last sent to the client. */
  readonly #held: HeldLists = new Map();
  readonly #questions = new HubQuestions();
  readonly #wished = new ClientWishes();
  readonly #hub: HubAttachment;
  readonly #link: HubLink;
  readonly #desk: RequestDesk;
  #client: Client = { kind: 'new' };
  #attachments = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
    const { client, clock, note, offline, absence } = options;
    const pending = new PendingRequests((message) => this.#tellClient(message), clock);
    this.#pending = pending;
    this.#hub = createHubAttachment({
      clock,
      onAttached: () => this.#attached(),
      onMessage: (transport, message) => this.#fromHub(transport, message),
      onLost: (transport, end) => this.#lost(transport, end),
      onRefused: (problem) => {
        note(`Patchbay is unavailable: ${problem.sentence}`);
        this.#desk.routeParked();
      },
      onNoise: (text) => note(`Patchbay sent something that is not a message: ${text.slice(0, 100)}`),
      isAwaited: (transport) => pending.sentOver(transport).length > 0,
      isClientSlow: () => client.congestion !== undefined,
    });
    this.#link = options.link({
      wish: () => this.#wish(),
      onConnected: this.#hub.take,
      onFailed: this.#hub.failed,
    });
    this.#desk = new RequestDesk({
      pending,
      hub: this.#hub,
      offline,
      absence,
      held: this.#held,
      clientName: () => (this.#client.kind === 'new' ? '' : this.#client.name),
      hurry: this.#link.hurry,
    });
  }

  async start(): Promise<void> {
    this.#link.start();
    await this.#options.client.start({
      message: (message) => this.#fromClient(toRaw(message)),
      noise: () => this.#options.note('the client sent something that is not JSON'),
      closed: () => this.#end(),
    });
  }

  /**
   * Decides whether to start the hub: for a client that has just connected, and for a request that needs it;
   * not because the hub has gone, and not for a client that is leaving, perhaps because the machine is
   * shutting down.
   */
  #wish(): Wish {
    const hadHub = this.#attachments > 0;
    const isLeaving = this.#options.isLeaving?.() ?? false;
    if (hadHub && isLeaving) return 'none';
    if (this.#pending.parked().length > 0) return 'now';
    return this.#client.kind !== 'new' && !hadHub && !isLeaving ? 'later' : 'none';
  }

  #fromClient(message: RawMessage): void {
    switch (message.kind) {
      case 'request':
        this.#request(message as RawRequest);
        break;
      case 'notification':
        this.#notification(message);
        break;
      case 'result':
      case 'failure':
        this.#answerToHub(message);
        break;
      case 'invalid':
        this.#refuseInvalid(message);
        break;
      case 'noise':
        this.#options.note('the client sent something that is not a message');
    }
  }

  #answerToHub(message: RawMessage): void {
    const answer = this.#questions.answer(message);
    if (answer !== undefined) this.#tellHub(answer);
  }

  #request(message: RawRequest): void {
    if (message.method === 'initialize') void this.#greetClient(message);
    else if (this.#client.kind === 'new' && message.method !== 'ping') {
      this.#tellClient(refuseWith(message, new RpcError(ungreetedError(message.method))));
    } else {
      const entry = this.#pending.add(message);
      if (entry === undefined) this.#tellClient(refuseWith(message, idInUse(message)));
      else this.#desk.route(entry);
    }
  }

  async #greetClient(message: RawRequest): Promise<void> {
    const { params = {} } = message;
    this.#client = { kind: 'greeted', name: clientName(params) };
    this.#hub.introduce(params);
    this.#link.hurry();
    const result = await this.#options.offline.greeting(params.protocolVersion);
    this.#tellClient(answerWith(message, result));
  }

  #notification(message: RawMessage): void {
    if (message.method === 'notifications/initialized' && this.#client.kind === 'greeted') {
      this.#client = { ...this.#client, kind: 'initialized' };
    }
    if (message.method === 'notifications/cancelled') this.#cancel(message);
    else this.#tellHub(message);
  }

  /** Cancels a request, which is then not answered; one that was never sent needs no cancellation. */
  #cancel(message: RawMessage): void {
    const id = message.params?.requestId;
    if (!isId(id) || this.#pending.cancel(id)) this.#tellHub(message, true);
  }

  #refuseInvalid(message: RawMessage): void {
    for (const refusal of refusals(message.value)) {
      if (refusal === undefined) this.#options.note('the client sent an invalid message');
      else this.#tellClient(refusal);
    }
  }

  #fromHub(transport: Transport, message: RawMessage): void {
    switch (message.kind) {
      case 'request':
        this.#tellClient(this.#questions.ask(message));
        break;
      case 'notification':
        this.#tellClient(this.#questions.tell(message));
        break;
      case 'result':
      case 'failure':
        this.#takeAnswer(transport, message);
        break;
      default:
        this.#options.note('Patchbay sent an invalid message');
    }
  }

  #takeAnswer(transport: Transport, message: RawMessage): void {
    const request = this.#pending.answered(transport, message)?.request;
    if (request === undefined || message.kind !== 'result') return;
    const { method } = request;
    if (wishes.has(method)) this.#wished.granted(request);
    if (!isListMethod(method)) return;
    // Computed only when a hub needs it: serializing ten thousand tools costs more than passing them on.
    this.#held.set(method, () => digestOfAnswer(message, method));
  }

  #attached(): void {
    this.#attachments += 1;
    this.#options.onAttached?.();
    const attached: Attached = {
      isFirst: this.#attachments === 1,
      isInitialized: this.#client.kind === 'initialized',
    };
    for (const message of wordsForHub(attached, this.#held, this.#wished)) this.#tellHub(message);
    for (const message of wordsForClient(attached)) this.#tellClient(message);
    this.#desk.routeParked();
  }

  #lost(transport: Transport, end: ConnectionEnd): void {
    for (const requestId of this.#questions.withdraw())
      this.#tellClient({ ...notice('notifications/cancelled'), params: { requestId } });
    this.#link.lost();
    this.#desk.connectionLost(transport, end);
  }

  #tellClient(message: WireMessage): void {
    tell(this.#options.client, message);
  }

  /** Sends a message to the hub; without one it is dropped. */
  #tellHub(message: WireMessage, urgent = false): void {
    const { transport } = this.#hub;
    if (transport !== undefined) tell(transport, message, urgent);
  }

  #end(): void {
    this.#link.close();
    this.#hub.close();
    this.#pending.clear();
    this.#options.onEnd();
  }
}

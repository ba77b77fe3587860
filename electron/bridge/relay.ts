import { notInitializedError } from '../../shared/model/client/initialize-result.ts';
import { isListMethod } from '../../shared/model/mcp.ts';
import type { Clock } from '../engine/base/clock.ts';
import { RpcError } from '../engine/jsonrpc/message.ts';
import { isId } from '../engine/jsonrpc/message-kind.ts';
import type { RawMessage, RawRequest } from '../engine/jsonrpc/raw-message.ts';
import { toRaw, type WireMessage } from '../engine/jsonrpc/read-message.ts';
import { toErrorResponse, toResponse } from '../engine/jsonrpc/response.ts';
import type { Transport } from '../engine/jsonrpc/transport.ts';
import type { ConnectionEnd } from './bridge-problem.ts';
import { HubAttachment } from './hub-attachment.ts';
import type { HubLink, HubLinkOptions } from './hub-link.ts';
import { HubRequests } from './hub-requests.ts';
import type { Demand, HubAbsence } from './hub-starter.ts';
import {
  type AttachedClient,
  type ClientLists,
  digestOfAnswer,
  messagesForClient,
  messagesForHub,
  RememberedRequests,
  rememberedMethods,
} from './hub-sync.ts';
import { clientName, duplicateIdError, notification, refusals, sendMessage } from './messages.ts';
import type { Offline } from './offline.ts';
import { PendingRequests } from './pending.ts';
import { RequestDispatcher } from './request-dispatcher.ts';

export interface RelayOptions {
  /** Transport to the client; not started. */
  readonly client: Transport;
  readonly offline: Offline;
  readonly link: (handlers: Pick<HubLinkOptions, 'demand' | 'onConnected' | 'onFailed'>) => HubLink;
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
  readonly #clientLists: ClientLists = new Map();
  readonly #hubRequests = new HubRequests();
  readonly #remembered = new RememberedRequests();
  readonly #hub: HubAttachment;
  readonly #link: HubLink;
  readonly #dispatcher: RequestDispatcher;
  #client: Client = { kind: 'new' };
  #attachments = 0;

  constructor(options: RelayOptions) {
    this.#options = options;
    const { client, clock, note, offline, absence } = options;
    const pending = new PendingRequests((message) => this.#sendToClient(message), clock);
    this.#pending = pending;
    this.#hub = new HubAttachment({
      clock,
      onAttached: () => this.#attached(),
      onMessage: (transport, message) => this.#fromHub(transport, message),
      onDisconnected: (transport, end) => this.#disconnected(transport, end),
      onRefused: (problem) => {
        note(`Patchbay is unavailable: ${problem.sentence}`);
        this.#dispatcher.dispatchParked();
      },
      onNoise: (text) => note(`Patchbay sent something that is not a message: ${text.slice(0, 100)}`),
      isAwaited: (transport) => pending.sentOn(transport).length > 0,
      isClientSlow: () => client.congestion !== undefined,
    });
    this.#link = options.link({
      demand: () => this.#demand(),
      onConnected: (transport) => this.#hub.attach(transport),
      onFailed: (refusal) => {
        this.#hub.connectFailed(refusal);
        if (absence.failure() !== undefined) this.#dispatcher.dispatchParked();
      },
    });
    this.#dispatcher = new RequestDispatcher({
      pending,
      hub: this.#hub,
      offline,
      absence,
      clientLists: this.#clientLists,
      clientName: () => (this.#client.kind === 'new' ? '' : this.#client.name),
      retrySoon: this.#link.retrySoon,
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
  #demand(): Demand {
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
    const answer = this.#hubRequests.toHub(message);
    if (answer !== undefined) this.#sendToHub(answer);
  }

  #request(message: RawRequest): void {
    if (message.method === 'initialize') void this.#initializeClient(message);
    else if (this.#client.kind === 'new' && message.method !== 'ping') {
      this.#sendToClient(toErrorResponse(message, new RpcError(notInitializedError(message.method))));
    } else {
      const entry = this.#pending.add(message);
      if (entry === undefined) this.#sendToClient(toErrorResponse(message, duplicateIdError(message)));
      else this.#dispatcher.dispatch(entry);
    }
  }

  async #initializeClient(message: RawRequest): Promise<void> {
    const { params = {} } = message;
    this.#client = { kind: 'greeted', name: clientName(params) };
    this.#hub.initialize(params);
    this.#link.retrySoon();
    const result = await this.#options.offline.greeting(params.protocolVersion);
    this.#sendToClient(toResponse(message, result));
  }

  #notification(message: RawMessage): void {
    if (message.method === 'notifications/initialized' && this.#client.kind === 'greeted') {
      this.#client = { ...this.#client, kind: 'initialized' };
    }
    if (message.method === 'notifications/cancelled') this.#cancel(message);
    else this.#sendToHub(message);
  }

  /** Cancels a request, which is then not answered; one that was never sent needs no cancellation. */
  #cancel(message: RawMessage): void {
    const id = message.params?.requestId;
    if (!isId(id) || this.#pending.cancel(id)) this.#sendToHub(message, true);
  }

  #refuseInvalid(message: RawMessage): void {
    for (const refusal of refusals(message.value)) {
      if (refusal === undefined) this.#options.note('the client sent an invalid message');
      else this.#sendToClient(refusal);
    }
  }

  #fromHub(transport: Transport, message: RawMessage): void {
    switch (message.kind) {
      case 'request':
        this.#sendToClient(this.#hubRequests.toClient(message));
        break;
      case 'notification':
        this.#sendToClient(this.#hubRequests.notificationToClient(message));
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
    if (rememberedMethods.has(method)) this.#remembered.accepted(request);
    if (!isListMethod(method)) return;
    // Computed only when a hub needs it: serializing ten thousand tools costs more than passing them on.
    this.#clientLists.set(method, () => digestOfAnswer(message, method));
  }

  #attached(): void {
    this.#attachments += 1;
    this.#options.onAttached?.();
    const attached: AttachedClient = {
      isFirst: this.#attachments === 1,
      isInitialized: this.#client.kind === 'initialized',
    };
    for (const message of messagesForHub(attached, this.#clientLists, this.#remembered))
      this.#sendToHub(message);
    for (const message of messagesForClient(attached)) this.#sendToClient(message);
    this.#dispatcher.dispatchParked();
  }

  #disconnected(transport: Transport, end: ConnectionEnd): void {
    for (const requestId of this.#hubRequests.takeAll())
      this.#sendToClient({ ...notification('notifications/cancelled'), params: { requestId } });
    this.#link.disconnected();
    this.#dispatcher.connectionLost(transport, end);
  }

  #sendToClient(message: WireMessage): void {
    sendMessage(this.#options.client, message);
  }

  /** Sends a message to the hub; without one it is dropped. */
  #sendToHub(message: WireMessage, urgent = false): void {
    const { transport } = this.#hub;
    if (transport !== undefined) sendMessage(transport, message, urgent);
  }

  #end(): void {
    this.#link.close();
    this.#hub.close();
    this.#pending.clear();
    this.#options.onEnd();
  }
}

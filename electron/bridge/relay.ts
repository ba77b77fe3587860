import { ungreetedError } from '../../shared/model/greeting.ts';
import { type HeldListsParams, heldListsMethod, type ListMethod } from '../../shared/schema/bridge-hello.ts';
import type { Clock } from '../engine/base/clock.ts';
import type { RawItem } from '../engine/catalogue/contract.ts';
import { isListMethod } from '../engine/catalogue/list-answer.ts';
import { prepareList } from '../engine/catalogue/prepared-list.ts';
import { answerWith, refuseWith } from '../engine/rpc/answer.ts';
import { RpcError } from '../engine/rpc/message.ts';
import { isId } from '../engine/rpc/message-kind.ts';
import type { RawMessage, RawRequest } from '../engine/rpc/raw-message.ts';
import { toRaw, type WireMessage } from '../engine/rpc/read-message.ts';
import type { Transport } from '../engine/rpc/transport.ts';
import { type ConnectionEnd, outcomeUnknown, problemError } from './bridge-problem.ts';
import { ClientWishes, wishes } from './client-wishes.ts';
import { digestOfAnswer, digestsOf, type HeldLists } from './held-lists.ts';
import { createHubAttachment } from './hub-attachment.ts';
import type { HubLink, HubLinkOptions } from './hub-link.ts';
import { HubQuestions } from './hub-questions.ts';
import type { HubAbsence, Wish } from './hub-starter.ts';
import { clientName, idInUse, notice, refusals } from './messages.ts';
import type { Offline } from './offline.ts';
import { hasLeft, type PendingEntry, PendingRequests } from './pending.ts';
import { isRepeatable } from './repeatable.ts';

export interface RelayOptions {
  /** The client's side; not started. */
  readonly client: Transport;
  readonly offline: Offline;
  readonly link: (handlers: Pick<HubLinkOptions, 'wish' | 'onConnected' | 'onFailed'>) => HubLink;
  readonly absence: HubAbsence;
  readonly clock: Clock;
  /** One line for whoever reads the client's log of this program. */
  readonly note: (text: string) => void;
  /** The hub is there: called at each attachment. */
  readonly onAttached?: () => void;
  /** The client has gone. */
  readonly onEnd: () => void;
}

type Client =
  | { readonly kind: 'new' }
  /** `initialized`: notices may be sent to it. */
  | { readonly kind: 'greeted' | 'initialized'; readonly name: string };

/**
 * One client on one side, the hub on the other, whenever there is one. Greets and lists at once from what the hub
 * left on disk; everything else waits for the hub, bounded. Each request gets exactly one answer.
 */
export async function runRelay(options: RelayOptions): Promise<void> {
  const { offline, clock, note } = options;
  const pending = new PendingRequests(tellClient, clock);
  /** Digests of the lists the client was sent last. */
  const held: HeldLists = new Map();
  const questions = new HubQuestions();
  const wished = new ClientWishes();
  let client: Client = { kind: 'new' };
  let attachments = 0;

  const hub = createHubAttachment({
    clock,
    onAttached: attached,
    onMessage: fromHub,
    onLost: lost,
    onRefused: (problem) => {
      note(`no hub: ${problem.sentence}`);
      for (const entry of pending.parked()) route(entry);
    },
    onNoise: (text) => note(`the hub sent something that is no message: ${text.slice(0, 100)}`),
    isAwaited: (transport) => pending.sentOver(transport).length > 0,
    isClientSlow: () => options.client.congestion !== undefined,
  });
  const link = options.link({ wish, onConnected: hub.take, onFailed: hub.failed });

  /** The hub is started for a client that has just come, and for a request that needs it; not because it has gone. */
  function wish(): Wish {
    if (pending.parked().length > 0) return 'now';
    return client.kind !== 'new' && attachments === 0 ? 'later' : 'none';
  }

  function fromClient(message: RawMessage): void {
    switch (message.kind) {
      case 'request':
        request(message as RawRequest);
        break;
      case 'notification':
        notification(message);
        break;
      case 'result':
      case 'failure':
        answerToHub(message);
        break;
      case 'invalid':
        refuseInvalid(message);
        break;
      case 'noise':
        note('the client sent something that is no message');
    }
  }

  function answerToHub(message: RawMessage): void {
    const answer = questions.answer(message);
    if (answer !== undefined) tellHub(answer);
  }

  function request(message: RawRequest): void {
    if (message.method === 'initialize') void greetClient(message);
    else if (client.kind === 'new' && message.method !== 'ping') {
      tellClient(refuseWith(message, new RpcError(ungreetedError(message.method))));
    } else {
      const entry = pending.add(message);
      if (entry === undefined) tellClient(refuseWith(message, idInUse(message)));
      else route(entry);
    }
  }

  async function greetClient(message: RawRequest): Promise<void> {
    const { params = {} } = message;
    client = { kind: 'greeted', name: clientName(params) };
    hub.introduce(params);
    link.hurry();
    const result = await offline.greeting(params.protocolVersion);
    tellClient(answerWith(message, result));
  }

  function route(entry: PendingEntry): void {
    const { method } = entry.request;
    if (hub.transport !== undefined) send(entry, hub.transport);
    else if (method === 'ping') pending.resolve(entry, {});
    else if (isListMethod(method)) void listOffline(entry, method);
    else if (hub.refusal !== undefined) pending.reject(entry, problemError(hub.refusal));
    else park(entry, hubPatience, () => void giveUp(entry));
  }

  function send(entry: PendingEntry, transport: Transport): void {
    pending.send(entry, transport);
    hub.expect();
    holdBack(entry.request, transport);
  }

  async function listOffline(entry: PendingEntry, method: ListMethod): Promise<void> {
    const items = await offline.list(method, client.kind === 'new' ? '' : client.name);
    if (!pending.isOpen(entry)) return;
    if (hub.transport !== undefined) send(entry, hub.transport);
    else if (items !== undefined) answerList(entry, method, items);
    else if (hub.refusal !== undefined) pending.reject(entry, problemError(hub.refusal));
    else park(entry, listPatience, () => giveUpList(entry, method));
  }

  /** A start that is only slow ends in a notice; one that failed must not look like a hub without servers. */
  function giveUpList(entry: PendingEntry, method: ListMethod): void {
    const reason = options.absence.reason();
    if (reason === undefined) answerList(entry, method, []);
    else pending.reject(entry, problemError(reason));
  }

  function answerList(entry: PendingEntry, method: ListMethod, items: readonly RawItem[]): void {
    const list = prepareList(method, items);
    held.set(method, () => list.digestOfValue());
    pending.resolve(entry, list.answer);
  }

  function park(entry: PendingEntry, milliseconds: number, giveUp: () => void): void {
    pending.park(entry, milliseconds, giveUp);
    link.hurry();
  }

  async function giveUp(entry: PendingEntry): Promise<void> {
    const problem = options.absence.reason() ?? (await options.absence.explain(hubPatience));
    if (entry.stage.kind === 'parked') pending.reject(entry, problemError(problem));
  }

  function notification(message: RawMessage): void {
    if (message.method === 'notifications/initialized' && client.kind === 'greeted') {
      client = { ...client, kind: 'initialized' };
    }
    if (message.method === 'notifications/cancelled') cancel(message);
    else tellHub(message);
  }

  /** A cancelled request is answered by nobody; what never left needs no cancelling. */
  function cancel(message: RawMessage): void {
    const id = message.params?.requestId;
    if (!isId(id) || pending.cancel(id)) tellHub(message, true);
  }

  function fromHub(transport: Transport, message: RawMessage): void {
    switch (message.kind) {
      case 'request':
        tellClient(questions.ask(message));
        break;
      case 'notification':
        tellClient(questions.tell(message));
        break;
      case 'result':
      case 'failure':
        takeAnswer(transport, message);
        break;
      default:
        note('the hub sent a message that is not valid');
    }
  }

  function takeAnswer(transport: Transport, message: RawMessage): void {
    const request = pending.answered(transport, message)?.request;
    if (request === undefined || message.kind !== 'result') return;
    const { method } = request;
    if (wishes.has(method)) wished.granted(request);
    if (!isListMethod(method)) return;
    // Digested when a hub is to be told: to print ten thousand tools again costs more than to pass them on.
    held.set(method, () => digestOfAnswer(message, method));
  }

  function attached(): void {
    attachments += 1;
    options.onAttached?.();
    const isNew = attachments === 1;
    if (client.kind === 'initialized') tellHub(notice('notifications/initialized'));
    if (held.size > 0) {
      const params: HeldListsParams = { lists: digestsOf(held), announce: isNew };
      tellHub({ ...notice(heldListsMethod), params: { ...params } });
    }
    for (const wish of wished.again()) tellHub(wish);
    if (!isNew && client.kind === 'initialized') {
      for (const kind of ['tools', 'resources', 'prompts'])
        tellClient(notice(`notifications/${kind}/list_changed`));
    }
    for (const entry of pending.parked()) route(entry);
  }

  function lost(transport: Transport, end: ConnectionEnd): void {
    for (const requestId of questions.withdraw())
      tellClient({ ...notice('notifications/cancelled'), params: { requestId } });
    link.lost();
    for (const entry of pending.sentOver(transport)) void reconsider(entry, end);
  }

  /** A request was under way when its connection ended: asked again if that can do no harm. */
  async function reconsider(entry: PendingEntry, end: ConnectionEnd): Promise<void> {
    const mayHaveArrived = await hasLeft(entry);
    if (!pending.isOpen(entry)) return;
    const { request } = entry;
    if (!mayHaveArrived || isRepeatable(request.method)) route(entry);
    else
      pending.reject(
        entry,
        problemError(outcomeUnknown(String(request.param('name') ?? request.method), end)),
      );
  }

  function refuseInvalid(message: RawMessage): void {
    for (const refusal of refusals(message.value)) {
      if (refusal === undefined) note('the client sent a message that is not valid');
      else tellClient(refusal);
    }
  }

  /** A client that cannot be told has gone, and its transport says so. */
  function tellClient(message: WireMessage): void {
    options.client.send(message).catch(() => {});
    holdBack(message, options.client);
  }

  /** Without a hub nobody needs to hear it. */
  function tellHub(message: WireMessage, urgent = false): void {
    const { transport } = hub;
    if (transport === undefined) return;
    transport.send(message, undefined, urgent).catch(() => {});
    holdBack(message, transport);
  }

  function end(): void {
    link.close();
    hub.close();
    pending.clear();
    options.onEnd();
  }

  link.start();
  await options.client.start({
    message: (message) => fromClient(toRaw(message)),
    noise: () => note('the client sent no JSON'),
    closed: end,
  });
}

/** Milliseconds a request waits for the hub: below the 60 s after which common clients give up without a reason. */
const hubPatience = 50_000;
/** Milliseconds a list waits when no hub has ever left one: clients that list once should get the full list. */
const listPatience = 5_000;

/** Whoever says more than the other side takes is not listened to for a while. */
function holdBack(message: WireMessage, { congestion }: Transport): void {
  if (congestion !== undefined) toRaw(message).source?.hold(congestion);
}

import { ungreetedError } from '../../shared/model/greeting.ts';
import { type HeldListsParams, heldListsMethod, type ListMethod } from '../../shared/schema/bridge-hello.ts';
import type { Clock } from '../engine/base/clock.ts';
import { digestOf } from '../engine/base/digest.ts';
import { isListMethod, listKeys } from '../engine/catalogue/list-answer.ts';
import {
  type JsonRpcFailure,
  type JsonRpcId,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResult,
  rpcErrorCodes,
} from '../engine/rpc/message.ts';
import { isId, type LooseEnvelope, messageKind } from '../engine/rpc/message-kind.ts';
import type { Transport } from '../engine/rpc/transport.ts';
import { hubUnreachable, outcomeUnknown, problemError } from './bridge-problem.ts';
import { createHubAttachment } from './hub-attachment.ts';
import type { HubLink, HubLinkOptions } from './hub-link.ts';
import type { Offline } from './offline.ts';
import { type PendingEntry, PendingRequests } from './pending.ts';

export interface RelayOptions {
  /** The client's side; not started. */
  readonly client: Transport;
  readonly offline: Offline;
  readonly link: (handlers: Pick<HubLinkOptions, 'isWanted' | 'onConnected' | 'onFailed'>) => HubLink;
  /** Where the hub is looked for, as evidence. */
  readonly socket: string;
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
  const held = new Map<ListMethod, string>();
  /** Requests of the hub that the client has not answered. */
  const askedByHub = new Set<JsonRpcId>();
  let client: Client = { kind: 'new' };
  let attachments = 0;

  const hub = createHubAttachment({
    clock,
    onAttached: attached,
    onMessage: fromHub,
    onLost: lost,
    onRefused: (problem) => {
      note(`the hub refused: ${problem.sentence}`);
      for (const entry of pending.parked()) route(entry);
    },
    onNoise: (text) => note(`the hub sent something that is no message: ${text.slice(0, 100)}`),
  });
  const link = options.link({ isWanted, onConnected: hub.take, onFailed: hub.failed });

  /** The hub is started for a client that has just come, and for a request that needs it; not because it has gone. */
  function isWanted(): boolean {
    return client.kind !== 'new' && (attachments === 0 || pending.parked().length > 0);
  }

  function fromClient(message: JsonRpcMessage): void {
    switch (messageKind(message)) {
      case 'request':
        request(message as JsonRpcRequest);
        break;
      case 'notification':
        notification(message as JsonRpcNotification);
        break;
      case 'result':
      case 'failure':
        answerToHub(message as JsonRpcResult | JsonRpcFailure);
        break;
      case 'invalid':
        for (const part of Array.isArray(message) ? message : [message]) refuseInvalid(part);
        break;
      case 'noise':
        note('the client sent something that is no message');
    }
  }

  function request(message: JsonRpcRequest): void {
    if (message.method === 'initialize') void greetClient(message);
    else if (client.kind === 'new' && message.method !== 'ping') {
      tellClient({ jsonrpc: '2.0', id: message.id, error: ungreetedError(message.method) });
    } else {
      const entry = pending.add(message);
      if (entry === undefined) refuseInvalid(message);
      else route(entry);
    }
  }

  async function greetClient({ id, params = {} }: JsonRpcRequest): Promise<void> {
    client = { kind: 'greeted', name: clientName(params) };
    hub.introduce(params);
    link.hurry();
    const result = await offline.greeting(params.protocolVersion);
    tellClient({ jsonrpc: '2.0', id, result });
  }

  function route(entry: PendingEntry): void {
    const { method } = entry.request;
    if (hub.transport !== undefined) pending.send(entry, hub.transport);
    else if (method === 'ping') pending.resolve(entry, {});
    else if (isListMethod(method)) void listOffline(entry, method);
    else if (hub.refusal !== undefined) pending.reject(entry, problemError(hub.refusal));
    else park(entry, hubPatience, () => giveUp(entry));
  }

  async function listOffline(entry: PendingEntry, method: ListMethod): Promise<void> {
    const items = await offline.list(method, client.kind === 'new' ? '' : client.name);
    if (!pending.isOpen(entry)) return;
    if (hub.transport !== undefined) pending.send(entry, hub.transport);
    else if (items !== undefined || hub.refusal !== undefined) answerList(entry, method, items ?? []);
    else park(entry, listPatience, () => answerList(entry, method, []));
  }

  function answerList(entry: PendingEntry, method: ListMethod, items: readonly unknown[]): void {
    held.set(method, digestOf(items));
    pending.resolve(entry, { [listKeys[method]]: items });
  }

  function park(entry: PendingEntry, milliseconds: number, giveUp: () => void): void {
    pending.park(entry, milliseconds, giveUp);
    link.hurry();
  }

  function giveUp(entry: PendingEntry): void {
    pending.reject(entry, problemError(hubUnreachable(options.socket, hubPatience)));
  }

  function notification(message: JsonRpcNotification): void {
    if (message.method === 'notifications/initialized' && client.kind === 'greeted') {
      client = { ...client, kind: 'initialized' };
    }
    // A cancelled request is answered by nobody; what never left needs no cancelling.
    if (message.method === 'notifications/cancelled') {
      const id = message.params?.requestId;
      if (isId(id) && pending.cancel(id) !== 'sent') return;
    }
    tellHub(message);
  }

  function answerToHub(message: JsonRpcResult | JsonRpcFailure): void {
    if (message.id !== null && askedByHub.delete(message.id)) tellHub(message);
  }

  function fromHub(transport: Transport, message: JsonRpcMessage): void {
    switch (messageKind(message)) {
      case 'request':
        askedByHub.add((message as JsonRpcRequest).id);
        tellClient(message);
        break;
      case 'notification':
        tellClient(message);
        break;
      case 'result':
      case 'failure':
        takeAnswer(transport, message as JsonRpcResult | JsonRpcFailure);
        break;
      default:
        note('the hub sent a message that is not valid');
    }
  }

  function takeAnswer(transport: Transport, message: JsonRpcResult | JsonRpcFailure): void {
    const { id } = message;
    const entry = id === null ? undefined : pending.answered(transport, { ...message, id });
    const method = entry?.request.method;
    if (method === undefined || !isListMethod(method) || !('result' in message)) return;
    // A result may be any value; only an object has the member.
    const items = (message.result as Readonly<Record<string, unknown>> | null)?.[listKeys[method]];
    if (Array.isArray(items)) held.set(method, digestOf(items));
  }

  function attached(): void {
    attachments += 1;
    options.onAttached?.();
    const isNew = attachments === 1;
    if (client.kind === 'initialized') tellHub(notice('notifications/initialized'));
    if (held.size > 0) {
      const params: HeldListsParams = { lists: Object.fromEntries(held), announce: isNew };
      tellHub({ ...notice(heldListsMethod), params: { ...params } });
    }
    if (!isNew && client.kind === 'initialized') {
      for (const kind of ['tools', 'resources', 'prompts'])
        tellClient(notice(`notifications/${kind}/list_changed`));
    }
    for (const entry of pending.parked()) route(entry);
  }

  function lost(transport: Transport): void {
    for (const requestId of askedByHub)
      tellClient({ ...notice('notifications/cancelled'), params: { requestId } });
    askedByHub.clear();
    link.lost();
    for (const entry of pending.sentOver(transport)) void reconsider(entry);
  }

  /** A request was under way when its connection ended: asked again if that can do no harm. */
  async function reconsider(entry: PendingEntry): Promise<void> {
    const hasLeft = entry.stage.kind === 'sent' && (await entry.stage.left);
    if (!pending.isOpen(entry)) return;
    const { method, params } = entry.request;
    if (!hasLeft || isRepeatable(method)) route(entry);
    else pending.reject(entry, problemError(outcomeUnknown(String(params?.name ?? method))));
  }

  function refuseInvalid(message: LooseEnvelope | null): void {
    const isAnswer = message?.method === undefined && (message?.result ?? message?.error) !== undefined;
    if (isId(message?.id) && !isAnswer) {
      const error = { code: rpcErrorCodes.invalidRequest, message: 'Invalid Request' };
      tellClient({ jsonrpc: '2.0', id: message.id, error });
    } else {
      note('the client sent a message that is not valid');
    }
  }

  /** A client that cannot be told has gone, and its transport says so. */
  function tellClient(message: JsonRpcMessage): void {
    options.client.send(message).catch(() => {});
  }

  /** Without a hub nobody needs to hear it. */
  function tellHub(message: JsonRpcMessage): void {
    hub.transport?.send(message).catch(() => {});
  }

  function end(): void {
    link.close();
    hub.close();
    pending.clear();
    options.onEnd();
  }

  link.start();
  await options.client.start({
    message: fromClient,
    noise: () => note('the client sent no JSON'),
    closed: end,
  });
}

/** Milliseconds a request waits for the hub: below the 60 s after which common clients give up without a reason. */
const hubPatience = 50_000;
/** Milliseconds a list waits when no hub has ever left one: clients that list once should get the full list. */
const listPatience = 5_000;

/** Reading twice does no harm; calling a tool twice may. Methods nothing is known of are treated like calls. */
function isRepeatable(method: string): boolean {
  return isListMethod(method) || repeatable.has(method);
}

const repeatable: ReadonlySet<string> = new Set([
  'ping',
  'prompts/get',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
  'logging/setLevel',
]);

function clientName(params: Readonly<Record<string, unknown>>): string {
  const info = params.clientInfo;
  const name = typeof info === 'object' && info !== null && 'name' in info ? info.name : undefined;
  return typeof name === 'string' ? name : '';
}

function notice(method: string): JsonRpcNotification {
  return { jsonrpc: '2.0', method };
}

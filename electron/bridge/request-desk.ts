import type { ListMethod } from '../../shared/schema/bridge-hello.ts';
import type { RawItem } from '../engine/catalogue/contract.ts';
import { isListMethod } from '../engine/catalogue/list-answer.ts';
import { prepareList } from '../engine/catalogue/prepared-list.ts';
import type { Transport } from '../engine/rpc/transport.ts';
import { type ConnectionEnd, outcomeUnknown, problemError } from './bridge-problem.ts';
import type { HeldLists } from './held-lists.ts';
import type { HubAttachment } from './hub-attachment.ts';
import type { HubAbsence } from './hub-starter.ts';
import type { Offline } from './offline.ts';
import { hasLeft, type PendingEntry, type PendingRequests } from './pending.ts';
import { isRepeatable } from './repeatable.ts';
import { holdBack } from './tell.ts';

export interface DeskOptions {
  readonly pending: PendingRequests;
  readonly hub: Pick<HubAttachment, 'transport' | 'refusal' | 'expect'>;
  readonly offline: Offline;
  readonly absence: HubAbsence;
  readonly held: HeldLists;
  readonly clientName: () => string;
  /** A request waits for the hub. */
  readonly hurry: () => void;
}

/** Gets each request its one answer: from the hub, from what is on disk, or from a wait for the hub that is bounded. */
export class RequestDesk {
  readonly #options: DeskOptions;

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  route(entry: PendingEntry): void {
    const { hub, pending } = this.#options;
    const { method } = entry.request;
    if (hub.transport !== undefined) this.#send(entry, hub.transport);
    else if (method === 'ping') pending.resolve(entry, {});
    else if (isListMethod(method)) void this.#listOffline(entry, method);
    else if (hub.refusal !== undefined) pending.reject(entry, problemError(hub.refusal));
    else this.#park(entry, hubPatience, () => void this.#giveUp(entry));
  }

  /** How it stands with the hub has changed. */
  routeParked(): void {
    for (const entry of this.#options.pending.parked()) this.route(entry);
  }

  /** What was under way on a connection that has ended is asked again if that can do no harm. */
  connectionLost(transport: Transport, end: ConnectionEnd): void {
    for (const entry of this.#options.pending.sentOver(transport)) void this.#reconsider(entry, end);
  }

  #send(entry: PendingEntry, transport: Transport): void {
    const { hub, pending } = this.#options;
    pending.send(entry, transport);
    hub.expect();
    holdBack(entry.request, transport);
  }

  async #listOffline(entry: PendingEntry, method: ListMethod): Promise<void> {
    const { hub, offline, pending, clientName } = this.#options;
    const items = await offline.list(method, clientName());
    if (!pending.isOpen(entry)) return;
    if (hub.transport !== undefined) this.#send(entry, hub.transport);
    else if (items !== undefined) this.#answerList(entry, method, items);
    else if (hub.refusal !== undefined) pending.reject(entry, problemError(hub.refusal));
    else this.#park(entry, listPatience, () => this.#giveUpList(entry, method));
  }

  /** A start that is only slow ends in a notice; one that failed must not look like a hub without servers. */
  #giveUpList(entry: PendingEntry, method: ListMethod): void {
    const reason = this.#options.absence.reason();
    if (reason === undefined) this.#answerList(entry, method, []);
    else this.#options.pending.reject(entry, problemError(reason));
  }

  #answerList(entry: PendingEntry, method: ListMethod, items: readonly RawItem[]): void {
    const list = prepareList(method, items);
    this.#options.held.set(method, () => list.digestOfValue());
    this.#options.pending.resolve(entry, list.answer);
  }

  #park(entry: PendingEntry, milliseconds: number, giveUp: () => void): void {
    this.#options.pending.park(entry, milliseconds, giveUp);
    this.#options.hurry();
  }

  async #giveUp(entry: PendingEntry): Promise<void> {
    const { absence, pending } = this.#options;
    const problem = absence.reason() ?? (await absence.explain(hubPatience));
    if (entry.stage.kind === 'parked') pending.reject(entry, problemError(problem));
  }

  async #reconsider(entry: PendingEntry, end: ConnectionEnd): Promise<void> {
    const mayHaveArrived = await hasLeft(entry);
    const { pending } = this.#options;
    if (!pending.isOpen(entry)) return;
    const { request } = entry;
    if (!mayHaveArrived || isRepeatable(request.method)) this.route(entry);
    else {
      const what = String(request.param('name') ?? request.method);
      pending.reject(entry, problemError(outcomeUnknown(what, end)));
    }
  }
}

/** Milliseconds a request waits for the hub: below the 60 s after which common clients give up without a reason. */
const hubPatience = 50_000;
/** Milliseconds a list waits when no hub has ever left one: clients that list once should get the full list. */
const listPatience = 5_000;

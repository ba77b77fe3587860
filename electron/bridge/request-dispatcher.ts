import type { Problem } from '../../shared/error/problem.ts';
import { scalarText } from '../../shared/json.ts';
import { hubNameStyle } from '../../shared/model/client/initialize-result.ts';
import { isListMethod, type ListMethod } from '../../shared/model/mcp.ts';
import { chooseProfile, hubTimeShare } from '../engine/catalogue/client-facts.ts';
import { withStatusTool } from '../engine/catalogue/status-tool.ts';
import { prepareList } from '../engine/catalogue/view/prepared-list.ts';
import type { Transport } from '../engine/jsonrpc/transport.ts';
import { type ConnectionEnd, outcomeUnknown, problemError } from './bridge-problem.ts';
import type { HubAttachment } from './hub-attachment.ts';
import type { HubAbsence } from './hub-starter.ts';
import type { ClientLists } from './hub-sync.ts';
import { applyBackpressure } from './messages.ts';
import type { Offline, OfflineList } from './offline.ts';
import { mayHaveReachedHub, type PendingEntry, type PendingRequests } from './pending.ts';

export interface RequestDispatcherOptions {
  readonly pending: PendingRequests;
  readonly hub: Pick<HubAttachment, 'transport' | 'refusal' | 'expectAnswer'>;
  readonly offline: Offline;
  readonly absence: HubAbsence;
  readonly clientLists: ClientLists;
  readonly clientName: () => string;
  /** Called when a request waits for the hub. */
  readonly retrySoon: () => void;
}

/**
 * Gets exactly one answer for each request: from the hub, from the files on disk, or by waiting for the hub
 * for a limited time.
 */
export class RequestDispatcher {
  readonly #options: RequestDispatcherOptions;

  constructor(options: RequestDispatcherOptions) {
    this.#options = options;
  }

  dispatch(entry: PendingEntry): void {
    const { hub, pending } = this.#options;
    const { method } = entry.request;
    const refusal = this.#refusal;
    if (hub.transport !== undefined) this.#send(entry, hub.transport);
    else if (method === 'ping') pending.resolve(entry, {});
    else if (isListMethod(method)) void this.#listOffline(entry, method);
    else if (refusal !== undefined) pending.reject(entry, problemError(refusal));
    else this.#park(entry, hubTimeoutMs, () => void this.#giveUp(entry));
  }

  /** Tries again after the hub's state has changed. */
  dispatchParked(): void {
    for (const entry of this.#options.pending.parked()) this.dispatch(entry);
  }

  /** Repeats requests that were in flight on a closed connection, if that is safe. */
  connectionLost(transport: Transport, end: ConnectionEnd): void {
    for (const entry of this.#options.pending.sentOn(transport)) void this.#reconsider(entry, end);
  }

  /** Reason why waiting does not help: a hub refuses this client, or none can be started. */
  get #refusal(): Problem | undefined {
    return this.#options.hub.refusal ?? this.#options.absence.failure();
  }

  #send(entry: PendingEntry, transport: Transport): void {
    const { hub, pending } = this.#options;
    pending.send(entry, transport);
    hub.expectAnswer();
    applyBackpressure(entry.request, transport);
  }

  async #listOffline(entry: PendingEntry, method: ListMethod): Promise<void> {
    const { hub, offline, pending, clientName } = this.#options;
    const found = await offline.list(method, clientName());
    if (!pending.isOpen(entry)) return;
    const refusal = this.#refusal;
    if (hub.transport !== undefined) this.#send(entry, hub.transport);
    else if (found?.isWhole === true) this.#answerList(entry, method, found);
    else if (refusal !== undefined) this.#answerShort(entry, method, found, refusal);
    else this.#park(entry, listTimeoutFor(clientName()), () => this.#giveUpList(entry, method, found));
  }

  /**
   * Ends the wait for a list. After a slow start the list says that it is incomplete; after a failed one the
   * client gets an error, so that it does not look like a hub without servers.
   */
  #giveUpList(entry: PendingEntry, method: ListMethod, found: OfflineList | undefined): void {
    this.#answerShort(entry, method, found, this.#options.absence.reason());
  }

  /** Sends the items known so far as an incomplete list, or the reason if nothing is known. */
  #answerShort(
    entry: PendingEntry,
    method: ListMethod,
    found: OfflineList | undefined,
    reason: Problem | undefined,
  ): void {
    const { items } = found ?? { items: [] };
    if (items.length === 0 && reason !== undefined) this.#options.pending.reject(entry, problemError(reason));
    else this.#answerList(entry, method, { items, isWhole: false });
  }

  #answerList(entry: PendingEntry, method: ListMethod, { items, isWhole }: OfflineList): void {
    const shown = method === 'tools/list' ? withStatusTool(items, isWhole) : items;
    const list = prepareList(method, shown);
    this.#options.clientLists.set(method, () => list.digestOfValue());
    this.#options.pending.resolve(entry, list.response);
  }

  #park(entry: PendingEntry, milliseconds: number, giveUp: () => void): void {
    this.#options.pending.park(entry, milliseconds, giveUp);
    this.#options.retrySoon();
  }

  async #giveUp(entry: PendingEntry): Promise<void> {
    const { absence, pending } = this.#options;
    const problem = absence.reason() ?? (await absence.explain(hubTimeoutMs));
    if (entry.stage.kind === 'parked') pending.reject(entry, problemError(problem));
  }

  async #reconsider(entry: PendingEntry, end: ConnectionEnd): Promise<void> {
    const mayHaveArrived = await mayHaveReachedHub(entry);
    const { pending } = this.#options;
    if (!pending.isOpen(entry)) return;
    const { request } = entry;
    if (!mayHaveArrived || isRepeatable(request.method)) this.dispatch(entry);
    else {
      const what = scalarText(request.param('name') ?? request.method);
      pending.reject(entry, problemError(outcomeUnknown(what, end)));
    }
  }
}

/**
 * Milliseconds a request waits for the hub: less than the 60 s after which common clients give up without a
 * reason.
 */
const hubTimeoutMs = 50_000;
/**
 * Returns how many milliseconds a list waits for a hub when there is no complete one on disk: clients that
 * list only once should get the full list. The rest of the client's timeout is left for the hub.
 */
function listTimeoutFor(clientName: string): number {
  return chooseProfile({ clientName, programDefault: hubNameStyle }).listTimeoutMs * (1 - hubTimeShare);
}

/**
 * Returns true if a request can safely be repeated. Unknown methods are treated like tool calls, which may
 * have effects.
 */
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

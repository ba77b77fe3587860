import { type Clock, systemClock } from '../../electron/engine/base/clock.ts';
import { silentLogger } from '../../electron/engine/base/logger.ts';
import { emptyListing, type RawItem, type ServerListing } from '../../electron/engine/catalogue/contract.ts';
import { LiveCatalogue } from '../../electron/engine/catalogue/live-catalogue.ts';
import { createView } from '../../electron/engine/catalogue/view/view.ts';
import { createViews } from '../../electron/engine/gateway/session/catalogue/views.ts';
import type { SessionServices } from '../../electron/engine/gateway/session/session-contract.ts';
import type { JsonRpcMessage, JsonRpcNotification } from '../../electron/engine/jsonrpc/message.ts';
import type { RawMessage } from '../../electron/engine/jsonrpc/raw-message.ts';
import { toValue, type WireMessage } from '../../electron/engine/jsonrpc/read-message.ts';
import type { Transport } from '../../electron/engine/jsonrpc/transport.ts';
import { type ActiveCall, ActiveCalls } from '../../electron/engine/routing/active-calls.ts';
import type { CallRequest } from '../../electron/engine/routing/contract.ts';
import type { Router } from '../../electron/engine/routing/router.ts';
import { ServerRequests } from '../../electron/engine/routing/server-requests/server-requests.ts';
import { hubIdentity } from '../../shared/model/client/initialize-result.ts';
import { createFakeSupervisor } from './fake-supervisor.ts';

/** An offer of tools by name; each with an ordinary schema. */
export function offerOf(...names: readonly string[]): ServerListing {
  const tools = names.map((name): RawItem => ({ name, inputSchema: { type: 'object' } }));
  const serverInfo = { name: 'fixture', version: '1' };
  return { ...emptyListing, protocolVersion: '2025-11-25', serverInfo, tools };
}

/** A catalogue store with these servers, settled. */
export function catalogueOf(offers: Readonly<Record<string, ServerListing>>, clock: Clock = systemClock) {
  const store = new LiveCatalogue({ clock, coalesceMs: 1 });
  store.setServers(
    Object.keys(offers).map((key) => ({ key, enabled: true, disabledTools: new Set<string>() })),
  );
  for (const [key, offer] of Object.entries(offers)) store.setListing(key, offer);
  store.flush();
  return store;
}

export interface HeldCall {
  readonly request: CallRequest;
  readonly call: ActiveCall;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  answer(result: unknown): void;
  fail(error: Error): void;
}

/** A router without servers, which knows its calls as a real one does. `answer` may resolve with any value. */
export function createFakeRouter(answer: (request: CallRequest, call: ActiveCall) => Promise<unknown>) {
  const calls = new ActiveCalls();
  const router: Pick<Router, 'call' | 'calls'> = {
    calls,
    async call(request) {
      const call = calls.begin(request);
      try {
        await request.view;
        const answered = (await answer(request, call)) as RawMessage;
        return (await calls.end(call)) ?? answered;
      } catch (error) {
        await calls.end(call);
        throw error;
      }
    },
  };
  return router;
}

/** A router whose calls wait until the test answers them. */
export function createHeldRouter() {
  const calls: HeldCall[] = [];
  const router = createFakeRouter(
    (request, call) =>
      new Promise((answer, fail) => {
        const { method, params = {} } = request.message;
        calls.push({ request, call, method, params, answer, fail });
        call.signal.addEventListener('abort', () => fail(new Error('aborted')), { once: true });
      }),
  );
  return { router, calls };
}

/** A router that gives each call its own parameters back. */
export const echoRouter = createFakeRouter(async ({ message: { method, params } }) => ({
  content: [{ type: 'text', text: JSON.stringify({ method, params }) }],
}));

export function surroundings(
  parts: Pick<SessionServices, 'catalogue' | 'router'> & Partial<SessionServices>,
): SessionServices {
  return {
    views: createViews(createView),
    programDefault: 'safe',
    identity: hubIdentity('1.2.3'),
    serverRequests: new ServerRequests({
      supervisor: createFakeSupervisor([]),
      calls: parts.router.calls,
      clock: systemClock,
    }),
    log: silentLogger,
    clock: systemClock,
    ...parts,
  };
}

/** A raw MCP client over a transport: nothing is hidden, everything received is kept. */
export class RawClient {
  readonly received: JsonRpcMessage[] = [];
  readonly #transport: Transport;
  readonly #waiting = new Map<unknown, (message: Answer) => void>();
  #nextId = 1;
  isClosed = false;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async open(): Promise<this> {
    await this.#transport.start({
      message: (message) => this.#receive(message),
      closed: () => {
        this.isClosed = true;
      },
    });
    return this;
  }

  /** Introduces itself; with `initialized` unless told otherwise. */
  async greet(name = 'test', options: { readonly initialized?: boolean; readonly version?: string } = {}) {
    const answer = await this.request('initialize', {
      protocolVersion: options.version ?? '2025-11-25',
      capabilities: {},
      clientInfo: { name, version: '1' },
    });
    if (options.initialized ?? true) await this.notify('notifications/initialized');
    return answer;
  }

  request(method: string, params?: Readonly<Record<string, unknown>>, id: string | number = this.#nextId++) {
    const answer = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    const message = { jsonrpc: '2.0' as const, id, method, ...(params === undefined ? {} : { params }) };
    return this.#transport.send(message).then(() => answer);
  }

  /** Sends any message, valid or not. */
  async send(message: unknown): Promise<void> {
    await this.#transport.send(message as JsonRpcMessage);
  }

  async notify(method: string, params?: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#transport.send({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
  }

  notices(method?: string): readonly JsonRpcNotification[] {
    return this.received.filter(
      (message): message is JsonRpcNotification =>
        'method' in message && !('id' in message) && (method === undefined || message.method === method),
    );
  }

  answersTo(id: string | number): readonly JsonRpcMessage[] {
    return this.received.filter((message) => !('method' in message) && message.id === id);
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  #receive(wire: WireMessage): void {
    const message = toValue(wire);
    this.received.push(message);
    if ('method' in message) return;
    this.#waiting.get(message.id)?.(message as Answer);
    this.#waiting.delete(message.id);
  }
}

/** An answer as tests look at it. */
export interface Answer {
  readonly id: string | number;
  readonly result?: Readonly<Record<string, never>> & Record<string, unknown>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: { readonly code?: string };
  };
}

/** Polls until the condition holds; rejects after `milliseconds` naming what did not come. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  milliseconds = 60_000,
) {
  const end = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Did not come in ${milliseconds} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

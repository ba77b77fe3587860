import { chooseProfile } from '../../electron/engine/catalogue/client-facts.ts';
import { createView } from '../../electron/engine/catalogue/view/view.ts';
import { RpcError } from '../../electron/engine/jsonrpc/message.ts';
import type { RawMessage } from '../../electron/engine/jsonrpc/raw-message.ts';
import { ActiveCalls } from '../../electron/engine/routing/active-calls.ts';
import type { ServerCallOptions } from '../../electron/engine/routing/call-attempts.ts';
import type { CallRecord } from '../../electron/engine/routing/contract.ts';
import { Resilience, type ResilienceOptions } from '../../electron/engine/routing/resilience/resilience.ts';
import { Router } from '../../electron/engine/routing/router.ts';
import type { Connection } from '../../electron/engine/servers/contract.ts';
import { ProblemError, problem } from '../../shared/error/problem.ts';
import { catalogueOf, serverOf, toolNamed } from './catalogue.ts';
import { FakeClock } from './fake-clock.ts';
import { createFakeSupervisor } from './fake-supervisor.ts';
import { connectTo } from './memory-server.ts';
import { requestOf, resultOf } from './raw-messages.ts';

type Params = Readonly<Record<string, unknown>>;

/**
 * Outcome of an attempt: an answer, a refusal by the tool, an internal error, invalid arguments, silence, a
 * dead server.
 */
export type Ending = 'answer' | 'no' | 'error' | 'invalid' | 'hang' | 'die';

/** By server: how the first, second… run of a call ends there; answered after that. */
export type Plan = Readonly<Record<string, readonly Ending[]>>;

export interface CallWish {
  readonly plan?: Plan;
  readonly session?: string;
  readonly meta?: Params;
  readonly signal?: AbortSignal;
  readonly heard?: (params: Params) => void;
}

const tools = [
  { ...toolNamed('read'), annotations: { readOnlyHint: true } },
  { ...toolNamed('set'), annotations: { idempotentHint: true } },
  toolNamed('act'),
];

/** A router with all its resilience before servers in this process that fail as each call plans it. */
export function createFailingHub(
  keys: readonly string[],
  options: {
    readonly config?: Readonly<Record<string, ServerCallOptions>>;
    readonly disabled?: Readonly<Record<string, readonly string[]>>;
    readonly resilience?: Partial<ResilienceOptions>;
  } = {},
) {
  const clock = new FakeClock();
  const supervisor = createFakeSupervisor(keys);
  const resilience = new Resilience({ clock, ...options.resilience });
  const records: CallRecord[] = [];
  const ended: CallRecord[] = [];
  const active = new ActiveCalls();
  active.observe({ started: (call) => records.push(call), ended: (call) => ended.push(call) });
  const router = new Router({
    calls: active,
    supervisor,
    clock,
    resilience,
    optionsOf: (key) => options.config?.[key],
    random: () => 0.5,
  });
  const view = createView(
    catalogueOf(...keys.map((key) => serverOf(key, { tools }, options.disabled?.[key]))),
    chooseProfile({ programDefault: 'colon' }),
  );
  /** By mark of a call: where it ran, in order. */
  const runs = new Map<string, string[]>();
  const servers = new Map<string, Awaited<ReturnType<typeof connectTo>>>();
  const waiting: { readonly key: string; readonly back: (connection: Connection) => void }[] = [];
  let calls = 0;

  async function start(key: string): Promise<void> {
    const server = await connectTo({
      handlers: { 'tools/call': (params) => run(key, params) },
      onNotification: (method, params) => supervisor.notify(key, { jsonrpc: '2.0', method, params }),
    });
    servers.set(key, server);
    supervisor.server(key).connected(server.connection);
    for (const { back } of waiting.filter((waiter) => waiter.key === key)) back(server.connection);
  }

  /** Ends a server's connection. With `known` the hub notices at once, otherwise only on the next attempt. */
  async function end(key: string, known = true): Promise<void> {
    if (known) supervisor.server(key).answerWith(() => new Promise((back) => waiting.push({ key, back })));
    await servers.get(key)?.close();
  }

  /** Stops a server for good. */
  function down(key: string): void {
    supervisor.server(key).failed(new ProblemError(problem('server.crashed', 'It crashed.', 'See its log.')));
  }

  function run(key: string, { name, arguments: args }: Params): unknown {
    const { mark, plan } = args as { readonly mark: string; readonly plan: Plan };
    const before = runs.get(mark) ?? [];
    const at = before.filter((place) => place.startsWith(`${key}:`)).length;
    runs.set(mark, [...before, `${key}:${name}`]);
    return endings[plan[key]?.[at] ?? 'answer'](key, mark);
  }

  const endings: Readonly<Record<Ending, (key: string, mark: string) => unknown>> = {
    answer: (key, mark) => ({ content: [{ type: 'text', text: `${mark} at ${key}` }] }),
    no: (key) => ({ content: [], isError: true, by: key }),
    error: () => Promise.reject(new RpcError({ code: -32603, message: 'It broke' })),
    invalid: () => Promise.reject(new RpcError({ code: -32602, message: 'Not like this' })),
    hang: () => new Promise(() => {}),
    die: (key) => {
      void end(key).then(() => start(key));
      return new Promise(() => {});
    },
  };

  /** Every call has a mark of its own; what it came to, as a value. */
  function call(name: string, wish: CallWish = {}) {
    calls += 1;
    const mark = `call ${calls}`;
    const { plan = {}, session = 's', meta, signal = new AbortController().signal, heard } = wish;
    const answer = router
      .call({
        sessionId: session,
        message: requestOf('tools/call', {
          name,
          arguments: { mark, plan },
          ...(meta === undefined ? {} : { _meta: meta }),
        }),
        view,
        signal,
        onProgress: (notice: RawMessage) => heard?.(notice.params ?? {}),
      })
      .then(resultOf);
    return { mark, answer };
  }

  return {
    clock,
    supervisor,
    resilience,
    router,
    view,
    records,
    ended,
    runs,
    start,
    end,
    down,
    call,
    server: (key: string) => servers.get(key),
    /** Resolves with the answer of a call or with its error, advancing the clock as far as it takes. */
    async outcome(
      name: string,
      wish: CallWish = {},
    ): Promise<{ mark: string; result?: unknown; error?: ReturnType<RpcError['toObject']> }> {
      const { mark, answer } = call(name, wish);
      const settled = answer.then(
        (result) => ({ mark, result }),
        (error: unknown) => {
          if (error instanceof RpcError) return { mark, error: error.toObject() };
          throw error;
        },
      );
      let isOver = false;
      void settled.finally(() => {
        isOver = true;
      });
      for (let second = 0; !isOver && second < 300; second += 1) await pass(clock, 1_000);
      return settled;
    },
    async [Symbol.asyncDispose]() {
      router.dispose();
      await Promise.all([...servers.values()].map((server) => server.close()));
    },
  };
}

/** Lets messages of memory transports arrive, then time pass. */
export async function pass(clock: FakeClock, milliseconds: number): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(milliseconds);
}

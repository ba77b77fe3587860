import { Emitter } from '../../electron/engine/base/emitter.ts';
import type { Hub, HubEvents, StateEventName } from '../../electron/engine/engine.ts';
import { HubLifecycle } from '../../electron/main/lifecycle/hub-run.ts';
import { after } from '../../electron/main/port/disposable.ts';
import type { ActivityAdded } from '../../shared/model/activity.ts';
import type { ClientView } from '../../shared/model/client.ts';
import type { HubView } from '../../shared/model/hub.ts';
import type { LogLine, ProcessUsage, ServerView } from '../../shared/model/server.ts';
import { type HubEvent, type HubEventName, hubEvents } from '../../shared/operations/events.ts';
import type { OperationInput, OperationName, OperationOutput } from '../../shared/operations/table.ts';
import { hubView } from './views.ts';

type Outputs = { readonly [N in OperationName]?: (input: OperationInput<N>) => OperationOutput<N> };

/** A hub that records which operations it was asked for and answers what a test gives it. */
export class FakeHub implements Hub {
  /** Each operation with its input, and other methods with their arguments. */
  readonly calls: unknown[][] = [];
  serverList: readonly ServerView[] = [];
  clientList: readonly ClientView[] = [];
  current: HubView = hubView();
  /** Runs with each operation and setting; a test may make it fail or wait. */
  outcome: () => Promise<void> = async () => {};
  outputs: Outputs = {};

  readonly logs = new Map<string, Emitter<readonly LogLine[]>>();
  readonly usages = new Emitter<readonly ProcessUsage[]>();
  readonly activities = new Emitter<ActivityAdded>();
  readonly #emitters = new Map<string, Emitter<never>>(
    Object.keys(hubEvents)
      .filter((name) => !watchedEvents.has(name))
      .map((name) => [name, new Emitter<never>()]),
  );
  readonly events = Object.fromEntries(
    [...this.#emitters].map(([name, emitter]) => [name, emitter.event]),
  ) as unknown as HubEvents;

  fire<N extends StateEventName>(name: N, payload: HubEvent<N>): void {
    this.#emitters.get(name)?.fire(payload as never);
  }

  /** The events that somebody listens to. */
  get heard(): readonly string[] {
    return [...this.#emitters].flatMap(([name, { hasListeners }]) => (hasListeners ? [name] : []));
  }

  run = async <N extends OperationName>(name: N, input: OperationInput<N>): Promise<OperationOutput<N>> => {
    await this.#record(name, input);
    return this.outputs[name]?.(input) as OperationOutput<N>;
  };

  view = () => this.current;
  servers = () => this.serverList;
  tools = () => [];
  clients = () => this.clientList;
  access = () => ({
    identities: [],
    grants: [],
    tokens: [],
    newClients: 'everything' as const,
    askDestructive: false,
  });
  approvals = () => [];
  profiles = () => ({ profiles: [], clients: {} });
  activeCalls: Hub['activeCalls'] = () => [];
  connection = () => ({ url: 'http://127.0.0.1:7420/mcp', token: 'secret-token' });
  support = async () => 'PATCHBAY SUPPORT BUNDLE\n';
  watchLog: Hub['watchLog'] = (key, listener) => {
    const lines = this.logs.get(key) ?? new Emitter();
    this.logs.set(key, lines);
    return lines.event(listener);
  };
  watchHealth: Hub['watchHealth'] = () => ({ dispose: () => {} });
  watchUsage = this.usages.event;
  watchActivity = this.activities.event;
  applySettings: Hub['applySettings'] = (from, to) => this.#record('applySettings', from, to);
  applyAskDestructive = (isOn: boolean) => void this.calls.push(['applyAskDestructive', isOn]);
  note: Hub['note'] = (note) => void this.calls.push(['note', note]);
  checkClients = () => this.#record('checkClients');
  wokeUp = () => void this.calls.push(['wokeUp']);
  drain = (milliseconds: number) => this.#record('drain', milliseconds);
  resume = () => void this.calls.push(['resume']);
  stop = () => this.#record('stop');

  async #record(...call: unknown[]): Promise<void> {
    this.calls.push(call);
    await this.outcome();
  }
}

/** Events that have a method of their own. */
const watchedEvents: ReadonlySet<string> = new Set<HubEventName>([
  'server.log',
  'server.health',
  'process.usage',
  'activity.added',
]);

/** Holds a hub as the shell does; it starts with {@link HubRun.start}, by default at once. */
export function runOf(hub: Hub, start: () => Promise<Hub> = async () => hub): HubLifecycle {
  return new HubLifecycle({
    start,
    viewWithout: (problems) => hubView({ problems }),
    problems: () => [],
    after,
  });
}

/** Holds a hub that runs. */
export async function runningRunOf(hub: Hub): Promise<HubLifecycle> {
  const run = runOf(hub);
  run.start();
  await run.settled();
  return run;
}

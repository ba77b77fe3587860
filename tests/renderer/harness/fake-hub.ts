import type { Problem } from '../../../shared/error/problem.ts';
import {
  type IpcAnswer,
  type IpcCallName,
  type IpcEvent,
  type IpcEventName,
  type IpcInput,
  type IpcOutput,
  ipcEvents,
  ipcRow,
  type PatchbayBridge,
} from '../../../shared/ipc/contract.ts';
import type { LogLine, ProcessUsage, ServerView } from '../../../shared/model/server/server.ts';
import type { ServerChange } from '../../../shared/model/server/server-change.ts';
import { definedOnly, fromEntry, withoutProblem } from './entry-view.ts';
import { accessFor, fakeAccess, sampleApprovals } from './fake-access.ts';
import { fakeActivity, rowsOf } from './fake-activity.ts';
import { fakeAudit } from './fake-audit.ts';
import { fakeBackup } from './fake-backup.ts';
import { fakeClients } from './fake-clients.ts';
import { FakeConfig } from './fake-config.ts';
import { fakeConnect } from './fake-connect.ts';
import { fakeGuard } from './fake-guard.ts';
import { fakeImport } from './fake-import.ts';
import { FakeLife } from './fake-life.ts';
import { fakeLimits } from './fake-limits.ts';
import { fakeProfiles, noProfiles, sampleProfiles } from './fake-profiles.ts';
import { fakeSearch } from './fake-search.ts';
import { fakeSecrets } from './fake-secrets.ts';
import { fakeSupport } from './fake-support.ts';
import { fakeTester } from './fake-tester.ts';
import { fakeUpdates } from './fake-updates.ts';
import { sampleExplanation } from './sample-command.ts';
import { sampleLog, sampleUsage } from './sample-log.ts';
import { sampleSecrets } from './sample-secrets.ts';
import { serverView } from './sample-servers.ts';
import { sampleDefinition } from './sample-tools.ts';
import type { Scenario, Snapshot } from './scenarios.ts';

type Answer<N extends IpcCallName> = IpcOutput<N> | undefined | Promise<IpcOutput<N>>;
type Handlers = { [N in IpcCallName]: (input: IpcInput<N>) => Answer<N> };
type Listener = (event: unknown) => void;

/**
 * Fakes the hub in the page: answers every call of the contract and pushes its events, each checked against
 * the contract's schema, so that a window that works here also works with the real hub.
 */
export class FakeHub {
  readonly calls: { readonly name: IpcCallName; readonly input: unknown }[] = [];
  readonly clipboard: string[] = [];
  readonly bridge: PatchbayBridge;
  #state: Snapshot;
  readonly #scenario: Scenario;
  readonly #config: FakeConfig;
  readonly #life: FakeLife;
  readonly #listeners = new Map<IpcEventName, Set<Listener>>();
  readonly #failures = new Map<IpcCallName, Problem>();
  readonly #before = new Map<string, Snapshot>();
  readonly #logs = new Map<string, LogLine[]>();
  #auditBroken = false;
  #usageTimer: ReturnType<typeof setInterval> | undefined;
  #logTimers = new Map<string, ReturnType<typeof setInterval>>();

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#state = scenario.state;
    this.#config = new FakeConfig(scenario.state.servers);
    this.#life = new FakeLife({
      state: () => this.#state,
      replace: (key, server) => this.#replace(key, server),
    });
    this.bridge = {
      call: (name, input) => this.#call(name, input),
      on: (name, listener) => this.#on(name, listener),
      pathOf: (file) => (file instanceof File ? `/home/ada/${file.name}` : ''),
    };
  }

  get state(): Snapshot {
    return this.#state;
  }

  /** Makes the next call of this name fail with this problem. */
  failNext(name: IpcCallName, problem: Problem): void {
    this.#failures.set(name, problem);
  }

  push<N extends IpcEventName>(name: N, event: IpcEvent<N>): void {
    ipcEvents[name].parse(event);
    for (const listener of this.#listeners.get(name) ?? []) listener(event);
  }

  /** Makes the audit log appear altered. */
  breakAudit(): void {
    this.#auditBroken = true;
  }

  /** Changes one server and sends the event. */
  changeServer(key: string, change: Partial<ServerView>): void {
    const server = this.#state.servers.find((one) => one.key === key);
    if (server !== undefined) this.#replace(key, { ...server, ...change });
  }

  /** Simulates an edit of the config file in another program: a server's text, or its removal. */
  editFile(key: string, text: string | undefined): void {
    this.#config.setText(key, text ?? '');
    if (text === undefined) this.#forget(key);
    else this.changeServer(key, {});
  }

  readonly text = (key: string): string => this.#config.text(key);

  async #call<N extends IpcCallName>(name: N, input: IpcInput<N>): Promise<IpcAnswer<N>> {
    this.calls.push({ name, input });
    ipcRow(name)?.input.parse(input);
    if (this.#scenario.answers === 'lost') throw new Error('Object has been destroyed');
    if (this.#scenario.answers === 'never') return new Promise(() => {});
    await new Promise((resolve) => setTimeout(resolve, 12));
    const problem = this.#failures.get(name);
    this.#failures.delete(name);
    if (problem !== undefined) return { ok: false, problem };
    try {
      return { ok: true, value: (await this.#handlers[name](input)) as IpcOutput<N> };
    } catch (thrown) {
      return { ok: false, problem: thrown as Problem };
    }
  }

  #on<N extends IpcEventName>(name: N, listener: (event: IpcEvent<N>) => void): () => void {
    const set = this.#listeners.get(name) ?? new Set<Listener>();
    this.#listeners.set(name, set);
    set.add(listener as Listener);
    return () => set.delete(listener as Listener);
  }

  readonly #handlers: Handlers = {
    'state.get': () => this.#state,
    'server.setEnabled': ({ key, enabled }) => {
      this.#setEnabled([key], enabled);
    },
    'server.change': ({ changes }) => {
      const undoId = `change-${this.#before.size}`;
      this.#before.set(undoId, this.#state);
      for (const change of changes) this.#change(change);
      return { undoId };
    },
    'server.undoChange': ({ undoId }) => {
      const before = this.#before.get(undoId);
      if (before === undefined) throw new Error('no such change');
      this.#setServers(
        before.servers,
        before.servers.map(({ key }) => key),
      );
      this.#setTools(before.tools);
    },
    'server.restart': ({ key }) => {
      this.#connect(key);
    },
    'app.signIn': ({ key }) => {
      this.changeServer(key, { auth: { signedIn: false, pending: true, since: Date.now() } });
    },
    'app.copySignInLink': ({ key }) => void this.clipboard.push(`sign-in ${key}`),
    'server.signOut': ({ key }) => {
      this.changeServer(key, { status: 'needs-auth', auth: { signedIn: false, pending: false } });
    },
    'server.enterValue': ({ key }) => {
      const found = this.#state.servers.find((one) => one.key === key);
      if (found === undefined) throw new Error('no such server');
      const { missing: _, ...server } = found;
      this.#replace(key, server);
      this.#connect(key);
      return { undoId: `entered-${key}`, secret: 'ACME_TOKEN' };
    },
    'server.setSignInClient': ({ key }) => ({ undoId: `client-${key}` }),
    'server.undoEntered': () => undefined,
    'server.add': ({ servers }) => {
      for (const { key, entry } of servers) this.#config.set(key, entry);
      this.#addServers(servers.map(({ key, entry }) => fromEntry(key, entry)));
    },
    'server.update': ({ key, newKey = key, entry }) => {
      this.#config.set(newKey, entry);
      this.#rename(key, newKey);
    },
    'server.duplicate': ({ key }) => {
      const copy = `${key}-copy`;
      this.#config.setText(copy, this.#config.text(key));
      const original = this.#state.servers.find((server) => server.key === key);
      if (original !== undefined) {
        this.#addServers([serverView({ key: copy, status: 'disabled', target: original.target })]);
      }
      return { key: copy };
    },
    'server.remove': ({ key }) => {
      const index = this.#state.servers.findIndex((server) => server.key === key);
      const undoId = `undo-${key}`;
      this.#config.keepRemoved(undoId, index, this.#state.servers[index]);
      this.#forget(key);
      return { undoId };
    },
    'server.undoRemove': ({ undoId }) => {
      const removed = this.#config.takeRemoved(undoId);
      this.#setServers(this.#state.servers.toSpliced(removed.index, 0, removed.server), [removed.server.key]);
    },
    'server.entry': ({ key }) => ({ text: this.#config.text(key), entry: this.#config.entry(key) }),
    'server.saveText': (save) => {
      const { key, newKey = key } = save;
      const text = this.#config.save(save);
      if (save.base === undefined) this.#addServers([fromEntry(key, this.#config.entry(key))]);
      if (newKey !== key) this.#rename(key, newKey);
      const running = this.#state.servers.some((one) => one.key === newKey && one.connectedAt !== undefined);
      if (running) this.#life.update(newKey);
      else this.#connect(newKey);
      return { text };
    },
    'server.validate': (input) => this.#config.validate(input, this.#state.servers),
    'server.watchLog': ({ key }) => {
      if (this.#scenario.lively) this.#stream(key);
      return { lines: this.#log(key) };
    },
    'server.unwatchLog': ({ key }) => {
      clearInterval(this.#logTimers.get(key));
      this.#logTimers.delete(key);
    },
    'server.clearLog': ({ key }) => {
      this.#log(key).length = 0;
    },
    'process.watch': ({ on }) => {
      clearInterval(this.#usageTimer);
      if (!on) return;
      const push = () => this.push('process.usage', { usage: this.#usage() });
      setTimeout(push, 30);
      if (this.#scenario.lively) this.#usageTimer = setInterval(push, 2000);
    },
    'tool.get': ({ serverKey, name }) => {
      const tool = this.#state.tools.find((one) => one.serverKey === serverKey && one.name === name);
      if (tool === undefined) throw new Error('no such tool');
      return {
        ...tool,
        canonicalId: `${serverKey}:${name}`,
        safeName: `${serverKey}__${name}`,
        definition: sampleDefinition(name, tool.description),
      };
    },
    'tool.setEnabled': ({ serverKey, names, enabled }) => {
      this.#setToolsEnabled(serverKey, names, enabled);
    },
    'settings.set': (patch) => {
      const settings = { ...this.#state.settings, ...definedOnly(patch) };
      this.#state = { ...this.#state, settings };
      this.push('settings.changed', settings);
      return settings;
    },
    'app.copyConnection': ({ what }) => void this.clipboard.push(what),
    'app.copyText': ({ text }) => void this.clipboard.push(text),
    'app.openExternal': () => undefined,
    'app.openDataFolder': () => undefined,
    'app.openConfigFile': () => undefined,
    'config.restore': () => ({ undoId: 'restored' }),
    'config.undoRestore': () => undefined,
    'app.quit': ({ how }) => {
      if (how === 'drain') this.#life.drain();
    },
    'app.stay': () => undefined,
    'app.takeOver': () => undefined,
    'app.quitPlan': () => this.#life.quitPlan(),
    'app.closeWindow': () => undefined,
    'server.sleep': ({ key }) => void this.#life.sleep(key),
    'server.checkHealth': ({ key }) => void this.#life.checkHealth(key),
    'server.watchHealth': ({ key }) => this.#life.health(key),
    'server.unwatchHealth': () => undefined,
    'server.explainCommand': ({ key }) => sampleExplanation(String(this.#config.entry(key).command)),
    'server.setCommand': ({ key, command }) => {
      this.#config.set(key, { ...this.#config.entry(key), command });
      this.changeServer(key, {});
    },
    'server.tryEntry': ({ text }) => this.#life.tryEntry(text),
    'server.forceUpdate': ({ key }) => {
      this.#life.endUpdate(key);
      this.#connect(key);
    },
    'server.dismissUpdate': ({ key }) => void this.#life.endUpdate(key),
    ...fakeConnect((clients) => this.push('connect.changed', { clients })),
    ...fakeSecrets(
      () => sampleSecrets(this.#state.servers),
      (view) => this.push('secrets.changed', view),
    ),
    ...fakeImport(
      () => this.#state.servers.map(({ key }) => key),
      (servers) => {
        for (const { key, entry } of servers) this.#config.set(key, entry);
        this.#addServers(servers.map(({ key, entry }) => fromEntry(key, entry)));
      },
    ),
    ...fakeTester((name, event) => this.push(name, event)),
    ...fakeActivity(
      () => rowsOf(this.#state.servers.length),
      () => this.#life.quitPlan().calls,
    ),
    ...fakeSupport(),
    ...fakeBackup(),
    ...fakeAccess(
      () => accessFor(this.#state.servers.map(({ key }) => key)),
      () => (this.#scenario.asks ? sampleApprovals(Date.now()) : []),
      {
        access: (view) => this.push('access.changed', view),
        approvals: (event) => this.push('approvals.changed', event),
        solved: () => this.push('hub.changed', { ...this.#state.hub, problems: [] }),
      },
    ),
    ...fakeUpdates((event) => this.push('update.changed', event)),
    ...fakeLimits(),
    ...fakeAudit(
      () => this.#scenario.state.servers.length,
      (breakers) => this.push('breaker.changed', { breakers }),
      () => this.#auditBroken,
    ),
    ...fakeProfiles(
      () => (this.#state.servers.length > 0 ? sampleProfiles : noProfiles),
      (view) => this.push('profiles.changed', view),
    ),
    ...fakeSearch(
      () => this.#state.tools,
      (view) => this.push('skills.changed', view),
      (state) => this.push('meaning.changed', state),
    ),
    ...fakeClients(() => this.#state.clients),
    ...fakeGuard(
      (view) => this.push('guard.changed', view),
      (key, change) => this.changeServer(key, change),
    ),
    'environment.reload': () => ({ changed: ['PATH', 'NVM_BIN'] }),
  };

  #replace(key: string, server: ServerView): void {
    const servers = this.#state.servers.map((one) => (one.key === key ? server : one));
    this.#setServers(servers, [key]);
  }

  #forget(key: string): void {
    const servers = this.#state.servers.filter((server) => server.key !== key);
    this.#setServers(servers, []);
  }

  #rename(key: string, newKey: string): void {
    const servers = this.#state.servers.map((one) => (one.key === key ? { ...one, key: newKey } : one));
    this.#setServers(servers, [newKey]);
  }

  #setEnabled(keys: readonly string[], enabled: boolean): void {
    const wanted = new Set(keys);
    const servers = this.#state.servers.map((server): ServerView => {
      if (!wanted.has(server.key)) return server;
      if (enabled) return { ...withoutProblem(server), enabled, status: 'connecting', since: Date.now() };
      const { connectedAt: _ended, pid: _gone, ...rest } = withoutProblem(server);
      return { ...rest, enabled, status: 'disabled', since: Date.now(), cached: true };
    });
    this.#setServers(servers, keys);
    if (enabled) for (const key of keys) this.#connectSoon(key);
  }

  #change(change: ServerChange): void {
    switch (change.kind) {
      case 'switch':
        this.#setEnabled([change.key], change.enabled);
        break;
      case 'tools':
        this.#setToolsEnabled(change.key, change.names, change.enabled);
        break;
      case 'tags':
        this.changeServer(change.key, { tags: change.tags });
        break;
      case 'favorite':
        this.#favor(change.key, change.favorite);
        break;
      case 'remove':
        this.#forget(change.key);
        break;
    }
  }

  #favor(key: string, isFavorite: boolean): void {
    const server = this.#state.servers.find((one) => one.key === key);
    if (server === undefined) return;
    const { favorite: _before, ...rest } = server;
    this.#replace(key, isFavorite ? { ...rest, favorite: true } : rest);
  }

  #setToolsEnabled(serverKey: string, names: readonly string[], enabled: boolean): void {
    const wanted = new Set(names);
    this.#setTools(
      this.#state.tools.map((tool) =>
        tool.serverKey === serverKey && wanted.has(tool.name) ? { ...tool, enabled } : tool,
      ),
    );
  }

  #setTools(tools: Snapshot['tools']): void {
    this.#state = { ...this.#state, tools };
    for (const { key, counts } of this.#state.servers) {
      const own = tools.filter(({ serverKey }) => serverKey === key);
      this.push('tools.changed', { tools: { [key]: own } });
      const disabledTools = own.filter((tool) => !tool.enabled).length;
      if (counts.disabledTools !== disabledTools)
        this.changeServer(key, { counts: { ...counts, disabledTools } });
    }
  }

  #connect(key: string): void {
    const server = this.#state.servers.find((one) => one.key === key);
    if (server === undefined) return;
    const { asleep: _woken, ...rest } = withoutProblem(server);
    this.#replace(key, { ...rest, status: 'connecting', since: Date.now() });
    this.#connectSoon(key);
  }

  #connectSoon(key: string): void {
    setTimeout(() => {
      const server = this.#state.servers.find((one) => one.key === key);
      if (server?.status !== 'connecting') return;
      const since = Date.now();
      this.changeServer(key, { status: 'connected', since, connectedAt: since, cached: false });
    }, 600);
  }

  #addServers(added: readonly ServerView[]): void {
    this.#setServers(
      [...this.#state.servers, ...added],
      added.map((server) => server.key),
    );
    for (const server of added) if (server.enabled) this.#connectSoon(server.key);
  }

  #setServers(servers: readonly ServerView[], changed: readonly string[]): void {
    this.#state = { ...this.#state, servers };
    const keys = new Set(changed);
    this.push('servers.changed', {
      servers: servers.filter((server) => keys.has(server.key)),
      order: servers.map((server) => server.key),
    });
  }

  #log(key: string): LogLine[] {
    const lines = this.#logs.get(key) ?? sampleLog(key);
    this.#logs.set(key, lines);
    return lines;
  }

  #stream(key: string): void {
    const timer = setInterval(() => {
      const lines = this.#log(key);
      const seq = (lines.at(-1)?.seq ?? 0) + 1;
      const line: LogLine = {
        seq,
        at: Date.now(),
        stream: 'stderr',
        text: `request ${seq} handled in ${seq % 40} ms`,
      };
      lines.push(line);
      this.push('server.log', { key, lines: [line] });
    }, 400);
    this.#logTimers.set(key, timer);
  }

  #usage(): ProcessUsage[] {
    return this.#state.servers
      .filter((server) => server.transport === 'stdio' && server.connectedAt !== undefined)
      .map((server, index) => sampleUsage(server, index));
  }
}

import { Emitter } from '../../electron/engine/base/emitter.ts';
import type { Engine } from '../../electron/engine/hub/contract.ts';
import type { IpcEvent } from '../../shared/ipc/contract.ts';
import type { ActivityAdded } from '../../shared/model/activity.ts';
import type { ClientView } from '../../shared/model/client.ts';
import type { HubView } from '../../shared/model/hub.ts';
import type { LogLine, ProcessUsage, ServerView } from '../../shared/model/server.ts';
import { fakeAccess } from './fake-access.ts';
import { fakeActivity } from './fake-activity.ts';
import { fakeAudit } from './fake-audit.ts';
import { fakeBackup } from './fake-backup.ts';
import { fakeClientTruth } from './fake-client-truth.ts';
import { fakeConnect } from './fake-connect.ts';
import { fakeGuard } from './fake-guard.ts';
import { fakeLimits } from './fake-limits.ts';
import { fakeProfiles } from './fake-profiles.ts';
import { fakeSearch, fakeSkills } from './fake-search.ts';
import { fakeImports, fakeSecrets, fakeValues } from './fake-secrets.ts';
import { fakeChecks, fakeTester } from './fake-tester.ts';
import { hubView } from './views.ts';

/** An engine that remembers what it was asked for and says what a test lets it say. */
export class FakeEngine implements Engine {
  readonly calls: unknown[][] = [];
  serverList: readonly ServerView[] = [];
  clientList: readonly ClientView[] = [];
  view: HubView = hubView();
  /** What the next start and edit do; a test may make them fail or wait. */
  outcome: () => Promise<void> = async () => {};

  readonly hubs = new Emitter<HubView>();
  readonly serverChanges = new Emitter<IpcEvent<'servers.changed'>>();
  readonly toolChanges = new Emitter<IpcEvent<'tools.changed'>>();
  readonly clientChanges = new Emitter<readonly ClientView[]>();
  readonly usages = new Emitter<readonly ProcessUsage[]>();
  readonly logs = new Map<string, Emitter<readonly LogLine[]>>();
  readonly onHub = this.hubs.event;
  readonly onServers = this.serverChanges.event;
  readonly onTools = this.toolChanges.event;
  readonly onClients = this.clientChanges.event;
  readonly onUsage = this.usages.event;

  start = () => this.#record('start');
  stop = () => this.#record('stop');
  hub = () => this.view;
  servers = () => this.serverList;
  tools = () => [];
  clients = () => this.clientList;

  setEnabled = (keys: readonly string[], enabled: boolean) => this.#record('setEnabled', keys, enabled);
  restart = (key: string) => this.#record('restart', key);
  sleep = (key: string) => this.#record('sleep', key);
  tryEntry: Engine['tryEntry'] = async (key, text) => {
    await this.#record('tryEntry', key, text);
    const difference = { added: [], removed: [], changed: [] };
    return { ok: true, milliseconds: 5, difference, tools: 3 };
  };
  forceUpdate = (key: string) => this.#record('forceUpdate', key);
  dismissUpdate = (key: string) => void this.calls.push(['dismissUpdate', key]);
  explainCommand: Engine['explainCommand'] = async (key) => {
    await this.#record('explainCommand', key);
    const environment = { source: 'inherited' as const, readAt: 1 };
    return { command: 'node', pinned: false, candidates: [], searched: [], environment };
  };
  setCommand: Engine['setCommand'] = (key, command) => this.#record('setCommand', key, command);
  reloadEnvironment: Engine['reloadEnvironment'] = async () => {
    await this.#record('reloadEnvironment');
    return [];
  };
  checkHealth = (key: string) => this.#record('checkHealth', key);
  health: Engine['health'] = () => [];
  onHealth: Engine['onHealth'] = () => ({ dispose: () => {} });
  connect: Engine['connect'] = fakeConnect((...call) => this.#record(...call));
  clientTruth: Engine['clientTruth'] = fakeClientTruth((...call) => this.#record(...call));
  profiles: Engine['profiles'] = fakeProfiles((...call) => this.#record(...call));
  search: Engine['search'] = fakeSearch((...call) => this.#record(...call));
  skills: Engine['skills'] = fakeSkills((...call) => this.#record(...call));
  readonly #account = fakeAudit((...call) => this.#record(...call));
  audit: Engine['audit'] = this.#account.audit;
  metrics: Engine['metrics'] = this.#account.metrics;
  breakers: Engine['breakers'] = this.#account.breakers;
  limits: Engine['limits'] = fakeLimits((...call) => this.#record(...call));
  access: Engine['access'] = fakeAccess((...call) => this.#record(...call));
  guard: Engine['guard'] = fakeGuard((...call) => this.#record(...call));
  secrets: Engine['secrets'] = fakeSecrets((...call) => this.#record(...call));
  values: Engine['values'] = fakeValues((...call) => this.#record(...call));
  imports: Engine['imports'] = fakeImports((...call) => this.#record(...call));
  tester: Engine['tester'] = fakeTester((...call) => this.#record(...call));
  readonly activities = new Emitter<ActivityAdded>();
  activity: Engine['activity'] = fakeActivity((...call) => this.#record(...call), this.activities);
  backup: Engine['backup'] = fakeBackup((...call) => this.#record(...call));
  support: Engine['support'] = async () => 'PATCHBAY SUPPORT BUNDLE\n';
  checks: Engine['checks'] = fakeChecks((...call) => this.#record(...call));
  wokeUp = () => void this.calls.push(['wokeUp']);
  activeCalls: Engine['activeCalls'] = () => [];
  drain = (milliseconds: number) => this.#record('drain', milliseconds);
  resume = () => void this.#record('resume');
  signIn = async (key: string) => {
    await this.#record('signIn', key);
    return { url: `https://login.example/${key}` };
  };
  signInLink: Engine['signInLink'] = async (key) => `https://login.example/${key}`;
  signInUnopened = (key: string) => void this.calls.push(['signInUnopened', key]);
  signOut = (key: string) => this.#record('signOut', key);
  add: Engine['add'] = (servers) => this.#record('add', servers);
  update: Engine['update'] = (key, entry, newKey) => this.#record('update', key, entry, newKey);
  saveText: Engine['saveText'] = async (save) => {
    await this.#record('saveText', save);
    return { text: save.text };
  };
  undoRemove = (undoId: string) => this.#record('undoRemove', undoId);
  changeMany: Engine['changeMany'] = async (changes) => {
    await this.#record('changeMany', changes);
    return 'undo-change';
  };
  undoChange = (undoId: string) => this.#record('undoChange', undoId);
  restoreConfig: Engine['restoreConfig'] = async () => {
    await this.#record('restoreConfig');
    return 'undo-restore';
  };
  undoRestoreConfig = (undoId: string) => this.#record('undoRestoreConfig', undoId);
  setToolsEnabled: Engine['setToolsEnabled'] = (key, names, on) =>
    this.#record('setToolsEnabled', key, names, on);
  setPort = (port: number) => this.#record('setPort', port);
  duplicate = async (key: string) => {
    await this.#record('duplicate', key);
    return `${key}-copy`;
  };
  remove = async (key: string) => {
    await this.#record('remove', key);
    return `undo-${key}`;
  };
  entry = async (key: string) => ({ text: '{}', entry: { command: key } });
  validate = () => ({ issues: [] });
  tool: Engine['tool'] = (serverKey, name) => ({
    serverKey,
    name,
    enabled: true,
    canonicalId: `${serverKey}:${name}`,
    safeName: `${serverKey}__${name}`,
    definition: { name },
  });

  log = () => [];
  clearLog = (key: string) => void this.calls.push(['clearLog', key]);
  onLog: Engine['onLog'] = (key, listener) => {
    const lines = this.logs.get(key) ?? new Emitter();
    this.logs.set(key, lines);
    return lines.event(listener);
  };
  connection = () => ({ url: 'http://127.0.0.1:7420/mcp', token: 'secret-token' });

  async #record(...call: unknown[]): Promise<void> {
    this.calls.push(call);
    await this.outcome();
  }
}

import type { IpcEvent, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import type { NewClients } from '../../../shared/model/access.ts';
import type { ActiveCall } from '../../../shared/model/call.ts';
import type { ClientView } from '../../../shared/model/client.ts';
import type { CommandExplanation } from '../../../shared/model/command.ts';
import type { HealthSample } from '../../../shared/model/health.ts';
import type { HubView } from '../../../shared/model/hub.ts';
import type { EntryIssue } from '../../../shared/model/import.ts';
import type { LogLine, ProcessUsage, ServerView } from '../../../shared/model/server.ts';
import type { ServerChange } from '../../../shared/model/server-change.ts';
import type { EntryTrial } from '../../../shared/model/server-update.ts';
import type { ToolDetail, ToolSummary } from '../../../shared/model/tool.ts';
import type { Event } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import type { BridgeProgram } from '../clients/launcher/launcher.ts';
import type { Machine } from '../clients/machine.ts';
import type { EmbeddingProgram } from '../search/contract.ts';
import type { SecretBox } from '../store/secret-box.ts';
import type { EnvironmentSource } from '../supervise/environment-source.ts';
import type { AccessEngine } from './access/contract.ts';
import type { ActivityEngine } from './activity-contract.ts';
import type { AuditEngine } from './audit/contract.ts';
import type { BackupEngine, SettingsPort } from './backup/contract.ts';
import type { ClientTruthEngine } from './client-truth/contract.ts';
import type { ConnectEngine } from './connect-contract.ts';
import type { ValuesEngine } from './enter-value.ts';
import type { GuardEngine } from './guard/contract.ts';
import type { ImportEngine } from './import-contract.ts';
import type { LimitsEngine } from './limits/contract.ts';
import type { Limits } from './limits/limits.ts';
import type { ProfilesEngine } from './profiles/contract.ts';
import type { SearchEngine } from './search/contract.ts';
import type { SecretsEngine } from './secrets-contract.ts';
import type { SupportEngine } from './support/contract.ts';
import type { TesterEngine } from './tester-contract.ts';

/** What the engine needs from the program around it. */
export interface EnginePorts {
  readonly logger: Logger;
  /** The environment servers inherit and variables are expanded from. */
  readonly env: () => Promise<Readonly<Record<string, string | undefined>>>;
  /** Where `env` comes from, to have it found out anew; without it, it stays what it is. */
  readonly environment?: EnvironmentSource;
  /** What variables are expanded from while `env` is still being found out; without it the hub waits. */
  readonly inherited?: Readonly<Record<string, string | undefined>>;
  /**
   * Encrypts stored secrets by the system's keychain; asked once, when the hub starts. Without it a key of our own does
   * (see store/key-secret-box.ts).
   */
  readonly secretBox?: () => SecretBox | undefined;
  /** The program of the thread that keeps the activity (`activity-desk.mjs`); without it none is kept. */
  readonly activityDesk?: URL;
  /** The program of the thread that counts tokens; without it they are not counted. */
  readonly tokenCounter?: URL;
  /** The program that starts servers which fail again and again (`fork-server.mjs`); without it the hub does. */
  readonly forkServer?: URL;
  /** What runs a model of meaning out of a folder; without it, none can. */
  readonly embedding?: EmbeddingProgram;
  /** The owner of `settings.json`; without it, that is the engine. */
  readonly settings?: SettingsPort;
  /** Ends the program in order because a command asks for it; without it, none can. */
  readonly endAsked?: () => void;
  /** Saves whether to ask before destructive tools, and has it hold. */
  readonly saveAskDestructive?: (isOn: boolean) => Promise<void>;
}

export interface EngineConfig {
  /** Folder of all hub data, see the data layout in docs/architecture.md. */
  readonly dataDir: string;
  /** Version of the program, told to clients and bridges. */
  readonly version: string;
  /** Port of the HTTP endpoint on 127.0.0.1. */
  readonly port: number;
  /** Whether what goes through the hub is recorded from the start; false by default. */
  readonly recordActivity?: boolean;
  /** Whether what is done is written to the audit log; false by default. */
  readonly audit?: boolean;
  /** What clients get that are seen for the first time; everything by default. */
  readonly newClients?: NewClients;
  /** Whether destructive tools are asked about for all clients; false by default. */
  readonly askDestructive?: boolean;
  /** The numbers in force; the document's by default. */
  readonly limits?: Limits;
  /** A bridge has started this program, so that it does not start where Patchbay has been turned off meanwhile. */
  readonly startedByBridge?: boolean;
  /** How a bridge can start this program again when it is down; written to `run/launch.json`. */
  readonly launch?: LaunchCommand;
  /** How clients start the bridge; without it none can be connected. */
  readonly bridge?: BridgeProgram;
  /** The `.mcpb` bundle that comes with this program. */
  readonly bundle?: string;
  /** Where clients keep their files; this machine by default. */
  readonly machine?: Machine;
}

/** A command that starts the hub hidden. `env` holds only what a display needs, never secrets. */
export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

type Entry = Readonly<Record<string, unknown>>;

/**
 * The hub: servers, catalogue, endpoints. Everything the window, the tray, the headless program and (later) REST
 * do goes through here. Methods reject with ProblemError. Views are plain data; events carry the changed views.
 */
export interface Engine
  extends ConnectEngine,
    SecretsEngine,
    ValuesEngine,
    ImportEngine,
    TesterEngine,
    ActivityEngine,
    AccessEngine,
    GuardEngine,
    ClientTruthEngine,
    ProfilesEngine,
    LimitsEngine,
    AuditEngine,
    SearchEngine,
    SupportEngine,
    BackupEngine {
  /**
   * Takes the data folder, reaps what a killed hub left, opens the endpoints, starts the servers; resolves when
   * clients can connect. Rejects (ProblemError) when the folder is unusable or another hub owns it. A taken port
   * is no reason to reject: it stands in `hub().problems`.
   */
  start(): Promise<void>;
  /** Answers what is pending, ends all servers and sessions, frees the folder; idempotent. */
  stop(): Promise<void>;

  hub(): HubView;
  servers(): readonly ServerView[];
  tools(): readonly ToolSummary[];
  clients(): readonly ClientView[];
  readonly onHub: Event<HubView>;
  readonly onServers: Event<IpcEvent<'servers.changed'>>;
  readonly onTools: Event<IpcEvent<'tools.changed'>>;
  readonly onClients: Event<readonly ClientView[]>;

  setEnabled(keys: readonly string[], enabled: boolean): Promise<void>;
  restart(key: string): Promise<void>;
  /** Puts a server to sleep: its process ends, its tools stay listed, the next call starts it. */
  sleep(key: string): Promise<void>;
  /** Starts an entry under edit beside the running server, and ends it again. */
  tryEntry(key: string, text: string): Promise<EntryTrial>;
  /** After an update that failed: the new config all the same. */
  forceUpdate(key: string): Promise<void>;
  dismissUpdate(key: string): void;
  /** Which file a stdio server's command runs; see the contract row. */
  explainCommand(key: string): Promise<CommandExplanation>;
  setCommand(key: string, command: string): Promise<void>;
  /** Names of the variables that are other than before. */
  reloadEnvironment(): Promise<readonly string[]>;
  checkHealth(key: string): Promise<void>;
  /** The short history of its health, oldest first. */
  health(key: string): readonly HealthSample[];
  onHealth(key: string, listener: (samples: readonly HealthSample[]) => void): { dispose(): void };
  /** The machine woke up or its network changed: every running server is checked now. */
  wokeUp(): void;
  /** Requests of clients that servers are at work on. */
  activeCalls(): readonly ActiveCall[];
  /** Takes no new calls; resolves when those under way have been answered, or after `milliseconds`. */
  drain(milliseconds: number): Promise<void>;
  /** Calls a drain off: calls are taken again. */
  resume(): void;
  /**
   * Begins a sign-in to a remote server and resolves to the address to open in the browser, on the user's click. The
   * server is started anew when the user comes back; how it stands is in the view's `auth`. A second call replaces the
   * first. Rejects with `server.sign_in_failed`.
   */
  signIn(key: string): Promise<{ readonly url: string }>;
  /** The address of the sign-in under way; rejects with `server.sign_in_failed` where none is. */
  signInLink(key: string): Promise<string>;
  /** No browser could be opened for the sign-in under way, which the view then tells. */
  signInUnopened(key: string): void;
  /** Forgets the sign-in and starts the server anew without it. */
  signOut(key: string): Promise<void>;
  add(servers: readonly { readonly key: string; readonly entry: Entry }[]): Promise<void>;
  update(key: string, entry: Entry, newKey?: string): Promise<void>;
  /** See the contract row `server.saveText`. */
  saveText(save: IpcInput<'server.saveText'>): Promise<IpcOutput<'server.saveText'>>;
  duplicate(key: string): Promise<string>;
  remove(key: string): Promise<string>;
  undoRemove(undoId: string): Promise<void>;
  /** See the contract row `server.change`; resolves to the id that takes it back. */
  changeMany(changes: readonly ServerChange[]): Promise<string>;
  undoChange(undoId: string): Promise<void>;
  /** Puts the last good config in the place of a broken file; resolves to the id that takes it back. */
  restoreConfig(): Promise<string>;
  undoRestoreConfig(undoId: string): Promise<void>;
  entry(key: string): Promise<IpcOutput<'server.entry'>>;
  validate(
    key: string,
    text: string,
    originalKey?: string,
  ): { readonly issues: readonly EntryIssue[]; readonly entry?: Entry };
  tool(serverKey: string, name: string): ToolDetail;
  setToolsEnabled(serverKey: string, names: readonly string[], enabled: boolean): Promise<void>;

  log(key: string): readonly LogLine[];
  clearLog(key: string): void;
  onLog(key: string, listener: (lines: readonly LogLine[]) => void): { dispose(): void };
  /** Samples the memory of every server's process tree while at least one listener is subscribed. */
  readonly onUsage: Event<readonly ProcessUsage[]>;

  /** Moves the HTTP endpoint to another port; a taken one leaves the old one serving and rejects. */
  setPort(port: number): Promise<void>;
  /** URL and bearer token of the HTTP endpoint, for the clipboard only. */
  connection(): { readonly url: string; readonly token: string };
}

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

/** The engine's needs from the program around it. */
export interface EnginePorts {
  readonly logger: Logger;
  /** The environment that servers inherit and variables are expanded from. */
  readonly env: () => Promise<Readonly<Record<string, string | undefined>>>;
  /** Rereads `env` on demand; without it, `env` never changes. */
  readonly environment?: EnvironmentSource;
  /** Expands variables until `env` has been read; without it the hub waits for `env`. */
  readonly inherited?: Readonly<Record<string, string | undefined>>;
  /**
   * Encrypts stored secrets with the system's keychain; called once, when the hub starts. Without it a key
   * file is used (see store/key-secret-box.ts).
   */
  readonly secretBox?: () => SecretBox | undefined;
  /**
   * The program of the worker thread that records activity (`activity-desk.mjs`); without it nothing is
   * recorded.
   */
  readonly activityDesk?: URL;
  /** The program of the worker thread that counts tokens; without it they are not counted. */
  readonly tokenCounter?: URL;
  /**
   * The program that starts servers which fail repeatedly (`fork-server.mjs`); without it the hub starts
   * them.
   */
  readonly forkServer?: URL;
  /** Runs an embedding model from a folder; without it, no such model can be used. */
  readonly embedding?: EmbeddingProgram;
  /** The owner of `settings.json`; without it, the engine writes that file. */
  readonly settings?: SettingsPort;
  /** Shuts the program down when a command asks for it; without it, commands cannot. */
  readonly endAsked?: () => void;
  /** Saves whether to ask before destructive tools, and applies it. */
  readonly saveAskDestructive?: (isOn: boolean) => Promise<void>;
}

export interface EngineConfig {
  /** Folder of all hub data, see the data layout in docs/architecture.md. */
  readonly dataDir: string;
  /** Version of the program, sent to clients and bridges. */
  readonly version: string;
  /** Port of the HTTP endpoint on 127.0.0.1. */
  readonly port: number;
  /** Records activity from the start; false by default. */
  readonly recordActivity?: boolean;
  /** Writes operations to the audit log; false by default. */
  readonly audit?: boolean;
  /** Access given to clients that connect for the first time; everything by default. */
  readonly newClients?: NewClients;
  /** Asks before destructive tools for all clients; false by default. */
  readonly askDestructive?: boolean;
  /** Limits in force; the documented defaults if absent. */
  readonly limits?: Limits;
  /** Set when a bridge started this program: it must not start if Patchbay has been turned off meanwhile. */
  readonly startedByBridge?: boolean;
  /** Tells bridges how to start this program again when it is down; written to `run/launch.json`. */
  readonly launch?: LaunchCommand;
  /** Starts the bridge from a client's config; without it no client can be connected. */
  readonly bridge?: BridgeProgram;
  /** The `.mcpb` bundle that comes with this program. */
  readonly bundle?: string;
  /** The machine whose client configs are edited; this machine by default. */
  readonly machine?: Machine;
}

/** A command that starts the hub without a window. `env` holds only display variables, never secrets. */
export interface LaunchCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

type Entry = Readonly<Record<string, unknown>>;

/**
 * The hub: servers, catalogue, endpoints. The window, the tray, the headless program and REST use it for
 * everything. Methods reject with ProblemError. Views are plain data; events carry the changed views.
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
   * Takes the data folder, ends processes left over by a killed hub, opens the endpoints and starts the
   * servers; resolves when clients can connect. Rejects (ProblemError) when the folder is unusable or another
   * hub owns it. A port that is in use does not reject; it is listed in `hub().problems`.
   */
  start(): Promise<void>;
  /** Answers pending requests, ends all servers and sessions, and releases the folder; idempotent. */
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
  /** Starts an edited entry next to the running server, then ends it again. */
  tryEntry(key: string, text: string): Promise<EntryTrial>;
  /** Applies the new config even though the update failed. */
  forceUpdate(key: string): Promise<void>;
  dismissUpdate(key: string): void;
  /** Explains which file a stdio server's command runs; see the contract row. */
  explainCommand(key: string): Promise<CommandExplanation>;
  setCommand(key: string, command: string): Promise<void>;
  /** Resolves to the names of the changed variables. */
  reloadEnvironment(): Promise<readonly string[]>;
  checkHealth(key: string): Promise<void>;
  /** Returns the short health history, oldest first. */
  health(key: string): readonly HealthSample[];
  onHealth(key: string, listener: (samples: readonly HealthSample[]) => void): { dispose(): void };
  /** Checks every running server now, because the machine woke up or its network changed. */
  wokeUp(): void;
  /** Lists client requests that servers are working on. */
  activeCalls(): readonly ActiveCall[];
  /** Rejects new calls; resolves when the active ones have been answered, or after `milliseconds`. */
  drain(milliseconds: number): Promise<void>;
  /** Cancels a drain: calls are accepted again. */
  resume(): void;
  /**
   * Starts a sign-in to a remote server after the user's click and resolves to the address to open in the
   * browser. The server is restarted when the user comes back; `auth` of its view has the state. A second
   * call replaces the first. Rejects with `server.sign_in_failed`.
   */
  signIn(key: string): Promise<{ readonly url: string }>;
  /** Returns the address of the active sign-in; rejects with `server.sign_in_failed` if there is none. */
  signInLink(key: string): Promise<string>;
  /** Records in the server's view that no browser could be opened for the active sign-in. */
  signInUnopened(key: string): void;
  /** Forgets the sign-in and restarts the server without it. */
  signOut(key: string): Promise<void>;
  add(servers: readonly { readonly key: string; readonly entry: Entry }[]): Promise<void>;
  update(key: string, entry: Entry, newKey?: string): Promise<void>;
  /** See the contract row `server.saveText`. */
  saveText(save: IpcInput<'server.saveText'>): Promise<IpcOutput<'server.saveText'>>;
  duplicate(key: string): Promise<string>;
  remove(key: string): Promise<string>;
  undoRemove(undoId: string): Promise<void>;
  /** See the contract row `server.change`; resolves to the undo id. */
  changeMany(changes: readonly ServerChange[]): Promise<string>;
  undoChange(undoId: string): Promise<void>;
  /** Replaces a broken config file with the last good one; resolves to the undo id. */
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

  /**
   * Moves the HTTP endpoint to another port; if that port is in use, rejects and keeps serving the old one.
   */
  setPort(port: number): Promise<void>;
  /** Returns URL and bearer token of the HTTP endpoint, for the clipboard only. */
  connection(): { readonly url: string; readonly token: string };
}

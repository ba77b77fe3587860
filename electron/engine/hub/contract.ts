import type { NewClients } from '../../../shared/model/access.ts';
import type { Logger } from '../base/logger.ts';
import type { BridgeProgram } from '../clients/launcher/launcher.ts';
import type { Machine } from '../clients/machine.ts';
import type { EmbeddingProgram } from '../search/contract.ts';
import type { SecretBox } from '../store/secret-box.ts';
import type { EnvironmentSource } from '../supervise/environment-source.ts';
import type { SettingsPort } from './backup/contract.ts';
import type { Limits } from './limits/limits.ts';

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

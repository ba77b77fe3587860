import type { Problem } from '../../../shared/error/problem.ts';
import type { NewClients } from '../../../shared/model/access/access.ts';
import type { SettingsPort } from '../backup/contract.ts';
import type { Logger } from '../base/logger.ts';
import type { BridgeProgram } from '../clients/launcher/launcher.ts';
import type { Machine } from '../clients/machine.ts';
import type { Limits } from '../config/limits/limits.ts';
import type { EnvironmentSource } from '../servers/environment/environment-source.ts';
import type { SecretBox } from '../store/files/key-secret-box.ts';

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
   * file is used (see store/files/key-secret-box.ts).
   */
  readonly secretBox?: () => SecretBox | undefined;
  /**
   * The program of the worker thread that records activity (`activity-worker.mjs`); without it nothing is
   * recorded.
   */
  readonly activityWorker?: URL;
  /** The owner of `settings.json`; without it, the engine writes that file. */
  readonly settings?: SettingsPort;
  /** Shuts the program down when a command asks for it; without it, commands cannot. */
  readonly endAsked?: () => void;
  /** Called if another hub owns the data folder by now: this one must stop. */
  readonly replaced?: (problem: Problem) => void;
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

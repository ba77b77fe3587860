import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Connection, PreparedUpdate, Supervisor } from '../contract.ts';
import type { Authorize } from '../server-config.ts';

/** Options of `createSupervisor`. */
export interface SupervisorOptions extends SupervisorHooks {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Environment that servers inherit; called before each start, so that a refreshed one is used. */
  readonly env: () => Promise<Readonly<Record<string, string | undefined>>>;
  /**
   * Reads `env` again because a command was not found, unless done recently; resolves with true if it has
   * changed.
   */
  readonly refreshEnv?: () => Promise<boolean>;
  /** Sent to servers as `clientInfo.version`. */
  readonly version: string;
  /** Tags every child as started by this program, see `shared/model/server/loop.ts`. */
  readonly instanceId: string;
  /** Credentials for remote servers whose users must sign in. */
  readonly authorize?: Authorize;
  /**
   * Pid registry of running children, so that the next start can end orphans; absent for a program without a
   * data folder.
   */
  readonly registryFile?: string;
  /** Remembers which servers have sessions; absent for a program without a data folder. */
  readonly erasFile?: string | undefined;
  /** Working directory of servers that name none; this program's own by default. */
  readonly defaultCwd?: string;
  readonly timing?: Partial<SupervisorTiming>;
}

/** Questions about a server, and work before its changes; by key. */
export interface SupervisorHooks {
  /**
   * Tells whether a client has other work open (a task, a subscription), so that the server must not sleep.
   * `id` is that of a server or an instance.
   */
  readonly hasOpenWork?: (id: string) => boolean;
  /** Runs before an idle server is ended. */
  readonly beforeSleep?: (key: string) => Promise<void>;
  /**
   * Tells whether a sleeping server's lists are unknown: it is started once, until {@link Supervisor.markListed}.
   */
  readonly mustListFirst?: (key: string) => boolean;
  /**
   * Lists the tools of a changed config over the new process's connection, before that process takes over. If
   * it rejects, the old process keeps serving.
   */
  readonly prepare?: (key: string, connection: Connection) => Promise<PreparedUpdate>;
}

/** Timeouts and delays, in milliseconds. */
export interface SupervisorTiming {
  /** Timeout of the handshake. */
  readonly handshake: number;
  /** Timeout of the handshake while a runner such as `npx` visibly downloads. */
  readonly handshakeDownloading: number;
  /** Delay from closing stdin to SIGTERM, from SIGTERM to SIGKILL, and from SIGKILL to giving up. */
  readonly stopStep: number;
  readonly backoffInitial: number;
  readonly backoffMax: number;
  /** Time after which a connection is stable and resets earlier failures. */
  readonly stable: number;
  /** Delay between retries of a server that keeps failing. */
  readonly slowProbe: number;
  /** Timeout for the calls of a server that is turned off, removed, put to sleep or replaced. */
  readonly drain: number;
}

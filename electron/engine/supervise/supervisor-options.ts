import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { Authorize, Connection, PreparedUpdate, Supervisor } from './contract.ts';

/** What `createSupervisor(options)` of `supervisor.ts` needs. */
export interface SupervisorOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** The environment servers inherit; asked before each start, so that a refreshed one counts. */
  readonly env: () => Promise<Readonly<Record<string, string | undefined>>>;
  /** A command was not found: finds `env` out anew, unless that was done lately; true if it is another one now. */
  readonly refreshEnv?: () => Promise<boolean>;
  /** Told to servers as `clientInfo.version`. */
  readonly version: string;
  /** Marks every child as started by this program, see `shared/model/loop.ts`. */
  readonly instanceId: string;
  /** Credentials for servers elsewhere that want their user signed in. */
  readonly authorize?: Authorize;
  /** Where running children are noted, so that the next start can reap them; none for a program without data folder. */
  readonly ledgerFile?: string;
  /** Working directory of servers that name none; by default this program's own. */
  readonly defaultCwd?: string;
  /** The built `fork-server/program.ts`, which starts servers that fail again and again; without it this program does. */
  readonly forkServer?: string;
  readonly timing?: Partial<SupervisorTiming>;
  /**
   * Whether a client holds something open beside calls (a task, a subscription), so that the server must not sleep; `id` of
   * a server or an instance.
   */
  readonly isInUse?: (id: string) => boolean;
  /** A server has been idle for as long as it may: done before its process ends. */
  readonly beforeSleep?: (key: string) => Promise<void>;
  /** Whether nothing is known of what a sleeping server offers: it is started once, until {@link Supervisor.listed}. */
  readonly mustListFirst?: (key: string) => boolean;
  /**
   * Lists what a changed config offers, over the connection of the new process, before that one takes over. A rejection
   * leaves the old one serving.
   */
  readonly prepare?: (key: string, connection: Connection) => Promise<PreparedUpdate>;
}

/** All waits, in milliseconds. */
export interface SupervisorTiming {
  /** For the handshake. */
  readonly handshake: number;
  /** For the handshake while a runner such as `npx` visibly downloads. */
  readonly handshakeDownloading: number;
  /** From closing stdin to SIGTERM, from SIGTERM to SIGKILL, from SIGKILL to giving up. */
  readonly stopStep: number;
  readonly backoffInitial: number;
  readonly backoffMax: number;
  /** A connection that held this long makes earlier failures forgotten. */
  readonly stable: number;
  /** Between two tries of a server that keeps failing. */
  readonly slowProbe: number;
  /** For the calls of a server that is turned off, removed, put to sleep or replaced. */
  readonly drain: number;
}

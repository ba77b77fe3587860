import type { ServerStatus } from '../../../../shared/model/server/server.ts';
import type { JsonRpcId, JsonRpcNotification } from '../../jsonrpc/message.ts';
import type {
  Connection,
  InitializeParams,
  PreparedUpdate,
  ServerRequest,
  SupervisedServer,
} from '../contract.ts';
import type { SharedLog } from '../log/instance-log.ts';
import type { RunOptions, RunPorts, RunResult } from './run.ts';

export interface ManagedServerOptions {
  readonly key: string;
  /** Default: the key. */
  readonly id?: string;
  readonly sessionId?: string;
  /** Returns the client's `initialize` params, called at each start; the hub's own by default. */
  readonly initializeParams?: () => InitializeParams | undefined;
  /** Also receives its lines. */
  readonly sharedLog?: SharedLog;
  readonly ports: RunPorts;
  /** Runs the server once; resolves when all of its processes are gone. */
  readonly run: (options: RunOptions) => Promise<RunResult>;
  /** Yields 0 to 1, for the jitter. */
  readonly random: () => number;
  readonly onState: (server: SupervisedServer, previous: ServerStatus) => void;
  readonly onNotification: (
    notification: JsonRpcNotification,
    relatedTo: JsonRpcId | undefined,
    connection: Connection | undefined,
  ) => void;
  readonly onRequest: (request: ServerRequest) => Promise<unknown>;
  readonly onLate: (id: JsonRpcId, connection: Connection | undefined) => void;
  /** See the supervisor's options with these names. */
  readonly hasOpenWork?: () => boolean;
  readonly beforeSleep?: () => Promise<void>;
  readonly mustListFirst?: () => boolean;
  readonly prepare?: (connection: Connection) => Promise<PreparedUpdate>;
}

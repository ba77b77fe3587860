import type {
  InitializeParams,
  InstanceLateAnswer,
  InstanceNotification,
  InstanceRequestHandler,
  ServerStateChange,
} from '../contract.ts';
import type { SharedLog } from '../log/instance-log.ts';
import type { RunPorts } from './run.ts';
import type { SupervisorHooks } from './supervisor-options.ts';

/** Events of a server. */
export interface ServerEvents {
  readonly state: (change: ServerStateChange) => void;
  readonly notification: (notification: InstanceNotification) => void;
  readonly lateAnswer: (answer: InstanceLateAnswer) => void;
  readonly request: InstanceRequestHandler;
}

export interface ManagedServerOptions {
  readonly key: string;
  /** Default: the key. */
  readonly id?: string;
  readonly sessionId?: string;
  /** Returns the client's `initialize` params, called at each start; the hub's own by default. */
  readonly initializeParams?: () => InitializeParams | undefined;
  /** Also receives its lines. */
  readonly sharedLog?: SharedLog | undefined;
  readonly ports: RunPorts;
  /** Yields 0 to 1, for the jitter. */
  readonly random: () => number;
  readonly events: ServerEvents;
  readonly hooks: SupervisorHooks;
}

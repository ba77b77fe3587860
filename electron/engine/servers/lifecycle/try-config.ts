import { ProblemError, toProblem } from '../../../../shared/error/problem.ts';
import { RpcError, rpcErrorCodes } from '../../jsonrpc/message.ts';
import type { Connection } from '../contract.ts';
import { createServerLog } from '../log/server-log.ts';
import type { ServerConfig } from '../server-config.ts';
import { toRunnable } from './plan.ts';
import type { RunPorts } from './run.ts';
import { type ProcessOwner, ServerProcess } from './server-process.ts';

export interface TryOptions<Result> {
  readonly config: ServerConfig;
  readonly use: (connection: Connection) => Promise<Result>;
  readonly ports: RunPorts;
}

/** A temporary run of a server. */
export interface Trial<Result = unknown> {
  /** Rejects with ProblemError. */
  readonly result: Promise<Result>;
  /** Resolves when all its processes are gone. */
  readonly exited: Promise<void>;
  /** Ends it immediately, whatever it is doing. */
  end(): void;
}

/** Starts a server beside whatever runs, passes its connection to `use`, and ends it. */
export function tryConfig<Result>({ config, use, ports }: TryOptions<Result>): Trial<Result> {
  const checked = toRunnable(config);
  if (!checked.ok) throw new ProblemError(checked.problem);
  const trial = new ServerProcess({
    key: config.key,
    config: checked.config,
    ports,
    // Throwaway log: the evidence in a problem has its own copy.
    log: createServerLog({ clock: ports.clock }),
    owner: ignoringOwner,
  });
  const result = trial
    .use(use)
    .catch((error: unknown) => Promise.reject(new ProblemError(toProblem(error), { cause: error })))
    .finally(() => trial.end());
  return { result, exited: trial.exited, end: () => trial.end() };
}

/** Ignores all events: only the trial itself makes calls. */
const ignoringOwner: ProcessOwner = {
  onStarted: () => {},
  onConnected: () => {},
  onDisconnected: () => {},
  onExited: () => {},
  onIdle: () => {},
  onCallWhileDraining: () => {},
  onNotification: () => {},
  onLateAnswer: () => {},
  async onRequest(_run, { message: { method } }) {
    throw new RpcError({ code: rpcErrorCodes.methodNotFound, message: `Method not found: ${method}` });
  },
};

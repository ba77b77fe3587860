import { ProblemError, toProblem } from '../../../shared/error/problem.ts';
import { RpcError, rpcErrorCodes } from '../rpc/message.ts';
import type { Connection, ServerOrder } from './contract.ts';
import { runnable } from './plan.ts';
import type { RunOptions, RunPorts, RunResult } from './run.ts';
import { createServerLog } from './server-log.ts';
import { type RunOwner, ServerRun } from './server-run.ts';

export interface TryOptions<Result> {
  readonly order: ServerOrder;
  readonly use: (connection: Connection) => Promise<Result>;
  readonly ports: RunPorts;
  readonly run: (options: RunOptions) => Promise<RunResult>;
}

/** A temporary run of a server. */
export interface Trial<Result = unknown> {
  /** Rejects with ProblemError. */
  readonly result: Promise<Result>;
  /** Resolves when all its processes are gone. */
  readonly over: Promise<void>;
  /** Ends it immediately, whatever it is doing. */
  end(): void;
}

/** Starts a server beside whatever runs, passes its connection to `use`, and ends it. */
export function tryOrder<Result>({ order, use, ports, run }: TryOptions<Result>): Trial<Result> {
  const wanted = runnable(order);
  if (!wanted.ok) throw new ProblemError(wanted.problem);
  const trial = new ServerRun({
    key: order.key,
    order: wanted.order,
    ports,
    run,
    // Throwaway log: the evidence in a problem has its own copy.
    log: createServerLog({ clock: ports.clock }),
    owner: alone,
  });
  const result = trial
    .use(use)
    .catch((error: unknown) => Promise.reject(new ProblemError(toProblem(error), { cause: error })))
    .finally(() => trial.end());
  return { result, over: trial.over, end: () => trial.end() };
}

/** Ignores all events: only the trial itself makes calls. */
const alone: RunOwner = {
  started: () => {},
  connected: () => {},
  lost: () => {},
  over: () => {},
  quiet: () => {},
  knocked: () => {},
  notification: () => {},
  late: () => {},
  async request(_run, { message: { method } }) {
    throw new RpcError({ code: rpcErrorCodes.methodNotFound, message: `Method not found: ${method}` });
  },
};

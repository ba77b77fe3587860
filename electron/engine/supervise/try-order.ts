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

/** A run on trial. */
export interface Trial<Result = unknown> {
  /** Rejects with ProblemError. */
  readonly result: Promise<Result>;
  /** Resolves when all its processes are gone. */
  readonly over: Promise<void>;
  /** At once, whatever it is doing. */
  end(): void;
}

/** Starts an order beside whatever runs, lends its connection to `use`, and ends it. */
export function tryOrder<Result>({ order, use, ports, run }: TryOptions<Result>): Trial<Result> {
  const wanted = runnable(order);
  if (!wanted.ok) throw new ProblemError(wanted.problem);
  const trial = new ServerRun({
    key: order.key,
    order: wanted.order,
    ports,
    run,
    // Its last words are evidence, which keeps its own.
    log: createServerLog({ clock: ports.clock }),
    owner: alone,
  });
  const result = trial
    .use(use)
    .catch((error: unknown) => Promise.reject(new ProblemError(toProblem(error), { cause: error })))
    .finally(() => trial.end());
  return { result, over: trial.over, end: () => trial.end() };
}

/** Nobody is there for it: its calls are the trial's own. */
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

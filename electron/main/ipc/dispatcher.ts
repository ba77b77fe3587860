import { type Problem, ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import {
  type IpcAnswer,
  type IpcCallName,
  type IpcInput,
  type IpcOutput,
  ipcCalls,
} from '../../../shared/ipc/contract.ts';

/** One handler per row of the contract table. A handler fails by throwing, preferably a ProblemError. */
export type IpcHandlers = {
  readonly [N in IpcCallName]: (input: IpcInput<N>) => HandlerResult<N> | Promise<HandlerResult<N>>;
};

/** Allows a call without an output to be handled by a function that returns nothing. */
type HandlerResult<N extends IpcCallName> =
  IpcOutput<N> extends undefined ? ReturnType<() => void> : IpcOutput<N>;

export interface DispatcherOptions<Sender> {
  readonly handlers: IpcHandlers;
  /** True if a message comes from the app's own page in its own window. */
  readonly isTrusted: (sender: Sender) => boolean;
  /** Resolves when the hub's start has ended; true if it was starting when called. */
  readonly hubSettled: () => Promise<boolean>;
  /** Runs after a handler has finished, before its answer is sent. */
  readonly beforeAnswer: () => void;
  /** Validates answers against the table too; for development. */
  readonly checkOutput: boolean;
  /** Called for unexpected failures and for rejected messages. */
  readonly onUnexpected: (call: string, error: unknown) => void;
}

type Answer = IpcAnswer<IpcCallName>;
export type Dispatch<Sender> = (sender: Sender, name: unknown, input: unknown) => Promise<Answer>;

/**
 * Checks the sender, then the name, then the schema; only then is the input typed and handled. Never rejects.
 */
export function createDispatcher<Sender>(options: DispatcherOptions<Sender>): Dispatch<Sender> {
  return async (sender, name, input) => {
    try {
      if (!options.isTrusted(sender)) throw refused('The sender is not the window of this app.');
      const value = await run(options, callName(name), input);
      options.beforeAnswer();
      return { ok: true, value };
    } catch (error) {
      const answer = toProblem(error);
      if (isUnexpected(answer)) options.onUnexpected(String(name), error);
      return { ok: false, problem: answer };
    }
  };
}

async function run<N extends IpcCallName, Sender>(
  { handlers, hubSettled, checkOutput }: DispatcherOptions<Sender>,
  name: N,
  input: unknown,
): Promise<IpcOutput<N>> {
  const parsed = ipcCalls[name].input.safeParse(input);
  if (!parsed.success)
    throw refused('The message is not valid for this request.', name, parsed.error.message);
  // Safe: the schema just parsed belongs to this name.
  const handle = async () => handlers[name](parsed.data as IpcInput<N>);
  const output = await handle().catch(async (error: unknown) => {
    // A page may be open, and call the hub, before the hub is running.
    if (toProblem(error).code === 'hub.unreachable' && (await hubSettled())) return handle();
    throw error;
  });
  if (checkOutput) ipcCalls[name].output.parse(output);
  // Safe: only calls without an output may return nothing.
  return output as IpcOutput<N>;
}

function callName(name: unknown): IpcCallName {
  if (typeof name === 'string' && Object.hasOwn(ipcCalls, name)) return name as IpcCallName;
  throw refused('Unknown request.', String(name));
}

function refused(reason: string, call?: string, details?: string): ProblemError {
  const fix = 'This is a bug in Patchbay; please report it.';
  return new ProblemError(problem('app.invalid_request', reason, fix, { call, details }));
}

function isUnexpected({ code }: Problem): boolean {
  return code === 'internal' || code === 'app.invalid_request';
}

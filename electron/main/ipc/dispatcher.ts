import { type Problem, ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import {
  type IpcAnswer,
  type IpcCallName,
  type IpcInput,
  type IpcOutput,
  ipcCalls,
} from '../../../shared/ipc/contract.ts';

/** One handler a row of the contract table. A handler fails by throwing, best a ProblemError. */
export type IpcHandlers = {
  readonly [N in IpcCallName]: (input: IpcInput<N>) => HandlerResult<N> | Promise<HandlerResult<N>>;
};

/** A call without an answer may be handled by a function that returns nothing. */
type HandlerResult<N extends IpcCallName> =
  IpcOutput<N> extends undefined ? ReturnType<() => void> : IpcOutput<N>;

export interface DispatcherOptions<Sender> {
  readonly handlers: IpcHandlers;
  /** Whether a message comes from the app's own page in its own window. */
  readonly isTrusted: (sender: Sender) => boolean;
  /** Resolves at the end of the hub's start, to whether it was starting at all. */
  readonly hubSettled: () => Promise<boolean>;
  /** Runs when a handler has ended, before its answer is sent. */
  readonly beforeAnswer: () => void;
  /** Checks answers against the table too; for development. */
  readonly checkOutput: boolean;
  /** Hears of failures that are no Problem of a known kind, and of refused messages. */
  readonly onUnexpected: (call: string, error: unknown) => void;
}

type Answer = IpcAnswer<IpcCallName>;
export type Dispatch<Sender> = (sender: Sender, name: unknown, input: unknown) => Promise<Answer>;

/** Who sent it, then what it is, then whether it fits the schema; only then is it typed and run. Never rejects. */
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
  // Safe: the schema just parsed belongs to this very name.
  const handle = async () => handlers[name](parsed.data as IpcInput<N>);
  const output = await handle().catch(async (error: unknown) => {
    // A page may be open before the hub runs that it asks.
    if (toProblem(error).code === 'hub.unreachable' && (await hubSettled())) return handle();
    throw error;
  });
  if (checkOutput) ipcCalls[name].output.parse(output);
  // Safe: only a call whose answer is undefined may return nothing.
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

import { type Problem, ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import {
  type IpcAnswer,
  type IpcCallName,
  type IpcInput,
  type IpcOutput,
  ipcRow,
  type ShellCallName,
} from '../../../shared/ipc/contract.ts';
import type { OperationInput, OperationsBehind } from '../../../shared/operations/table.ts';
import type { Hub } from '../../engine/engine.ts';

/**
 * Handlers of the calls that the shell answers itself; all other calls are operations of the hub. Handlers
 * fail by throwing, preferably a ProblemError.
 */
export type ShellHandlers = {
  readonly [N in ShellCallName]: (input: IpcInput<N>) => HandlerResult<N> | Promise<HandlerResult<N>>;
};

/** A call without an answer may be handled by a function that returns nothing. */
type HandlerResult<N extends ShellCallName> =
  IpcOutput<N> extends undefined ? ReturnType<() => void> : IpcOutput<N>;

export interface DispatcherOptions<Sender> {
  readonly handlers: ShellHandlers;
  /** Throws ProblemError if no hub runs. */
  readonly hub: () => Pick<Hub, 'run'>;
  /** True if a message comes from the app's own page in its own window. */
  readonly isTrusted: (sender: Sender) => boolean;
  /** Resolves when a start of the hub in progress has ended; false if it was not starting. */
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

/** Checks the sender, the name and the input's schema before it runs a call. Never rejects. */
export function createDispatcher<Sender>(options: DispatcherOptions<Sender>): Dispatch<Sender> {
  return async (sender, name, input) => {
    try {
      if (!options.isTrusted(sender)) throw refused('The sender is not the window of this app.');
      const value = await run(options, name, input);
      options.beforeAnswer();
      return { ok: true, value };
    } catch (error) {
      const answer = toProblem(error);
      if (isUnexpected(answer)) options.onUnexpected(String(name), error);
      return { ok: false, problem: answer };
    }
  };
}

async function run<Sender>(
  { handlers, hub, hubSettled, checkOutput }: DispatcherOptions<Sender>,
  name: unknown,
  input: unknown,
): Promise<IpcOutput<IpcCallName>> {
  const row = typeof name === 'string' ? ipcRow(name) : undefined;
  if (row === undefined) throw refused('Unknown request.', String(name));
  const parsed = row.input.safeParse(input);
  if (!parsed.success)
    throw refused('The message is not valid for this request.', String(name), parsed.error.message);
  const handle = async () => answer(handlers, hub, name as IpcCallName, parsed.data);
  // Waits for a starting hub if a call needs it: a page may be open, and make calls, before the hub runs.
  const wasStarting = hubSettled();
  const output = await handle().catch(async (error: unknown) => {
    if (toProblem(error).code === 'hub.unreachable' && (await wasStarting)) return handle();
    throw error;
  });
  if (checkOutput) row.output.parse(output);
  return output as IpcOutput<IpcCallName>;
}

/** Safe: the input was parsed by the schema of this operation. */
function answer(
  handlers: ShellHandlers,
  hub: () => Pick<Hub, 'run'>,
  name: IpcCallName,
  input: unknown,
): unknown {
  if (isShellCall(handlers, name)) return handlers[name](input as never);
  return hub().run(name, input as OperationInput<OperationsBehind<'window'>>);
}

function isShellCall(handlers: ShellHandlers, name: IpcCallName): name is ShellCallName {
  return Object.hasOwn(handlers, name);
}

function refused(reason: string, call?: string, details?: string): ProblemError {
  const fix = 'This is a bug in Patchbay; please report it.';
  return new ProblemError(problem('app.invalid_request', reason, fix, { call, details }));
}

function isUnexpected({ code }: Problem): boolean {
  return code === 'internal' || code === 'app.invalid_request';
}

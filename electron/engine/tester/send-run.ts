import type { TestTarget } from '../../../shared/model/tool/tester.ts';
import type { Disposable } from '../base/emitter.ts';
import type { CatalogueView } from '../catalogue/contract.ts';
import type { RawMessage, RawRequest } from '../jsonrpc/raw-message.ts';
import { testerSession } from '../routing/tester-session.ts';
import { taskRequest } from './requests.ts';
import type { TesterSession } from './sessions.ts';

/** One run as it is sent to a server. */
export interface SentRun {
  readonly target: TestTarget;
  readonly message: RawRequest;
  readonly view: CatalogueView;
  readonly session: TesterSession;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (notice: RawMessage) => void;
  /** Returns an id that no other request of the tester uses. */
  readonly nextId: () => number;
}

/** Returns the raw answer to a run, or to its task if it becomes one. Rejects like the router. */
export async function sendRun(run: SentRun): Promise<RawMessage> {
  let progress: Disposable | undefined;
  const keepProgress = (disposable: Disposable) => {
    progress = disposable;
  };
  try {
    if (run.message.param('task') === undefined) return await send(run, run.message);
    const answer = await send(run, run.message, keepProgress);
    const taskId = taskOf(answer);
    if (taskId === undefined) return answer;
    run.session.tasks.register({ serverKey: run.target.serverKey, taskId }, {});
    return await taskResult(run, taskId);
  } finally {
    progress?.dispose();
  }
}

/** Waits until the task has ended. Cancelling this request alone would not end the task. */
async function taskResult(run: SentRun, taskId: string): Promise<RawMessage> {
  const { signal, nextId } = run;
  const cancel = () => {
    const message = taskRequest('tasks/cancel', taskId, nextId());
    send({ ...run, signal: undefined }, message).catch(() => undefined);
  };
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await send(run, taskRequest('tasks/result', taskId, nextId()));
  } finally {
    signal?.removeEventListener('abort', cancel);
    run.session.tasks.onStatus(taskId, 'completed');
  }
}

function send(
  { target: { serverKey }, view, session, signal, onProgress }: SentRun,
  message: RawRequest,
  keepProgress?: (progress: Disposable) => void,
): Promise<RawMessage> {
  const isAboutTask = message.method.startsWith('tasks/');
  return session.router.call({
    sessionId: testerSession(serverKey),
    caller: session.caller,
    message,
    requestId: message.id,
    view,
    signal,
    onProgress,
    keepProgress,
    ...(isAboutTask ? { serverKey } : {}),
  });
}

function taskOf({ result }: RawMessage): string | undefined {
  const { task } = (result ?? {}) as { readonly task?: { readonly taskId?: unknown } };
  return typeof task?.taskId === 'string' ? task.taskId : undefined;
}

import type { Question } from '../route/backchannel-contract.ts';
import { ProgressTokens } from '../route/progress-tokens.ts';
import { clientGone } from '../route/question-errors.ts';
import { ConnectionClosedError, type JsonRpcNotification } from '../rpc/message.ts';
import type { Peer } from '../rpc/peer-contract.ts';
import type { ParamChanges } from '../rpc/raw-message.ts';
import { refusalOf } from './client-abilities.ts';
import type { Introduction } from './introduction.ts';

/** Requests of servers to this client. */
export interface ClientQuestions {
  /** Resolves with the client's raw response; rejects with RpcError. */
  ask(question: Question): Promise<unknown>;
  /** Handles the client's progress on one of them. */
  progress(notification: JsonRpcNotification): void;
}

export function createClientQuestions(
  peer: Peer,
  client: () => Pick<Introduction, 'name' | 'capabilities'> | undefined,
): ClientQuestions {
  const tokens = new ProgressTokens();

  async function ask(question: Question): Promise<unknown> {
    const { message, onProgress, keepProgress } = question;
    const introduced = client();
    if (introduced === undefined) throw clientGone(message.method);
    const refusal = refusalOf(introduced, message);
    if (refusal !== undefined) throw refusal;
    let watched = tokens.watch(theClient, message, onProgress);
    try {
      const answer = await put(question, watched === undefined ? {} : { metaToken: watched.token });
      if (watched !== undefined && keepProgress !== undefined) {
        keepProgress(watched);
        watched = undefined;
      }
      return answer;
    } finally {
      watched?.dispose();
    }
  }

  async function put({ message, signal, relatedTo }: Question, changes: ParamChanges): Promise<unknown> {
    const gone = () => clientGone(message.method);
    if (signal.aborted) throw gone();
    const pending = peer.forward(message, changes, relatedTo);
    const takeBack = () => {
      if (!pending.abandon(gone())) return;
      const why = typeof signal.reason === 'string' ? { reason: signal.reason } : {};
      peer.notify('notifications/cancelled', { requestId: pending.id, ...why }, relatedTo).catch(() => {});
    };
    signal.addEventListener('abort', takeBack, { once: true });
    try {
      return await pending.result;
    } catch (error) {
      throw error instanceof ConnectionClosedError ? gone() : error;
    } finally {
      signal.removeEventListener('abort', takeBack);
    }
  }

  return { ask, progress: (notification) => tokens.deliver(theClient, notification) };
}

/** Tokens are stored by the source of progress, which is always the one client here. */
const theClient = 'client';

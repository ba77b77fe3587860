import type { Question } from '../route/backchannel-contract.ts';
import { clientGone } from '../route/error-map.ts';
import { ConnectionClosedError } from '../rpc/message.ts';
import type { Peer } from '../rpc/peer-contract.ts';
import { refusalOf } from './client-abilities.ts';
import type { Introduction } from './introduction.ts';

type Params = Readonly<Record<string, unknown>>;

/** What servers ask of this client, on its way there and back. */
export interface ClientQuestions {
  /** The client's raw answer; rejects with RpcError. Never settles once taken back, since then no answer is wanted. */
  ask(question: Question): Promise<unknown>;
  /** The client tells its progress with one of them. */
  progress(params: Params | undefined): void;
}

export function createClientQuestions(
  peer: Peer,
  client: () => Pick<Introduction, 'name' | 'capabilities'> | undefined,
): ClientQuestions {
  /** By token of ours: servers choose tokens on their own, so two may choose the same one. */
  const watched = new Map<unknown, { readonly token: unknown; readonly tell: (params: Params) => void }>();
  let lastToken = 0;

  async function ask(question: Question): Promise<unknown> {
    const introduced = client();
    if (introduced === undefined) throw clientGone(question.method);
    const refusal = refusalOf(introduced, question.method, question.params);
    if (refusal !== undefined) throw refusal;
    const leg = watch(question);
    try {
      return await put(question, leg.params);
    } finally {
      watched.delete(leg.token);
    }
  }

  async function put({ method, signal, relatedTo }: Question, params: Params): Promise<unknown> {
    const pending = peer.request(method, params, relatedTo);
    const takeBack = () => {
      const { reason } = signal;
      const why = typeof reason === 'string' ? { reason } : {};
      peer.notify('notifications/cancelled', { requestId: pending.id, ...why }, relatedTo).catch(() => {});
      pending.abandon(clientGone(method));
    };
    if (signal.aborted) takeBack();
    signal.addEventListener('abort', takeBack, { once: true });
    try {
      return await pending.result;
    } catch (error) {
      throw error instanceof ConnectionClosedError ? clientGone(method) : error;
    } finally {
      signal.removeEventListener('abort', takeBack);
    }
  }

  function watch({ params, onProgress }: Question): { readonly params: Params; readonly token?: number } {
    const meta = params._meta;
    if (!isRecord(meta) || meta.progressToken === undefined) return { params };
    lastToken += 1;
    watched.set(lastToken, { token: meta.progressToken, tell: onProgress });
    return { params: { ...params, _meta: { ...meta, progressToken: lastToken } }, token: lastToken };
  }

  return {
    ask,
    progress(params) {
      const leg = watched.get(params?.progressToken);
      if (params !== undefined) leg?.tell({ ...params, progressToken: leg.token });
    },
  };
}

function isRecord(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

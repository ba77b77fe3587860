import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { SessionRegistry } from '../../gateway/session/session-registry.ts';
import { RawMessage, type RawRequest } from '../../jsonrpc/raw-message.ts';
import { readMessage } from '../../jsonrpc/read-message.ts';
import type { AskClient } from '../model/sampling-model.ts';

/** Milliseconds: the user may have to approve first. */
const timeoutMs = 120_000;

/** Sends to the first client that supports sampling; others receive nothing. */
export function sampleThroughClients(sessions: Pick<SessionRegistry, 'views' | 'find'>): AskClient {
  return async (params) => {
    for (const { id } of sessions.views()) {
      const session = sessions.find(id);
      if (session === undefined) continue;
      try {
        const answer = await session.ask(samplingRequest(params), AbortSignal.timeout(timeoutMs));
        return answer instanceof RawMessage ? answer.result : answer;
      } catch {
        // Unsupported, or the user declined: tries the next client.
      }
    }
    throw new ProblemError(
      problem(
        'search.provider_failed',
        'No connected client answered the sampling request.',
        'Connect a client that supports sampling, or choose the built-in rules.',
      ),
    );
  };
}

function samplingRequest(params: Readonly<Record<string, unknown>>): RawRequest {
  const text = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'sampling/createMessage', params });
  const message = readMessage(Buffer.from(text));
  if (message?.kind !== 'request') throw new Error('the sampling request is not a valid request');
  return message as RawRequest;
}

import type { Problem } from '../../shared/error/problem.ts';
import type { JsonRpcMessage, JsonRpcRequest } from '../engine/rpc/message.ts';
import { messageKind } from '../engine/rpc/message-kind.ts';
import type { Transport } from '../engine/rpc/transport.ts';
import { problemError } from './bridge-problem.ts';

/** Answers every request of the client with the one reason why it cannot be served. */
export async function refuseClient(options: {
  readonly client: Transport;
  readonly problem: Problem;
  readonly onEnd: () => void;
}): Promise<void> {
  const { client, problem, onEnd } = options;
  const message = (received: JsonRpcMessage) => {
    if (messageKind(received) !== 'request') return;
    const { id } = received as JsonRpcRequest;
    client.send({ jsonrpc: '2.0', id, error: problemError(problem) }).catch(() => {});
  };
  await client.start({ message, closed: onEnd });
}

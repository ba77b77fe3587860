import type { Problem } from '../../shared/error/problem.ts';
import { toErrorResponse } from '../engine/rpc/answer.ts';
import { RpcError } from '../engine/rpc/message.ts';
import { toRaw, type WireMessage } from '../engine/rpc/read-message.ts';
import type { Transport } from '../engine/rpc/transport.ts';
import { problemError } from './bridge-problem.ts';

/** Answers every request of the client with the reason why it cannot be served. */
export async function refuseClient(options: {
  readonly client: Transport;
  readonly problem: Problem;
  readonly onEnd: () => void;
}): Promise<void> {
  const { client, problem, onEnd } = options;
  const error = new RpcError(problemError(problem));
  const message = (received: WireMessage) => {
    const request = toRaw(received);
    if (request.kind === 'request') client.send(toErrorResponse(request, error)).catch(() => {});
  };
  await client.start({ message, closed: onEnd });
}

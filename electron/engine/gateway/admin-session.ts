import { type Problem, ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import type { Logger } from '../base/logger.ts';
import { RpcError } from '../rpc/message.ts';
import { createPeer } from '../rpc/peer.ts';
import type { Transport } from '../rpc/transport.ts';

/** Answers what a command of the same user asks of the running hub. Rejects with ProblemError. */
export interface AdminService {
  answer(call: string, input: unknown): Promise<unknown>;
}

/** Answers over one connection for as long as it lasts; a failure carries its {@link Problem} as `data`. */
export async function serveAdmin(transport: Transport, service: AdminService, log: Logger): Promise<void> {
  const peer = createPeer(transport, {
    async request({ method, params }) {
      try {
        return { output: await service.answer(method, params?.input) };
      } catch (error) {
        const found = toProblem(error);
        log.log('debug', 'A command was refused', { call: method, code: found.code });
        throw adminFailure(found);
      }
    },
    notification: () => {},
    closed: () => {},
  });
  await peer.start();
}

/** Of a program that has no such calls. */
export const noAdmin: AdminService = {
  answer: () => Promise.reject(new ProblemError(notServed())),
};

function adminFailure(found: Problem): RpcError {
  return new RpcError({ code: adminFailed, message: found.sentence, data: found });
}

/** In the range that JSON-RPC leaves to applications. */
const adminFailed = -32_000;

function notServed(): Problem {
  const sentence = 'This program takes no commands on its socket.';
  return problem('app.invalid_request', sentence, 'Ask a running Patchbay.');
}

import { type Problem, ProblemError, problem, toProblem } from '../../../../shared/error/problem.ts';
import type { Logger } from '../../base/logger.ts';
import { RpcError } from '../../jsonrpc/message.ts';
import { createPeer } from '../../jsonrpc/peer.ts';
import type { Transport } from '../../jsonrpc/transport.ts';

/** Answers commands from the CLI of the same user. Rejects with ProblemError. */
export interface AdminService {
  answer(call: string, input: unknown): Promise<unknown>;
}

/** Serves commands on one connection until it closes; a failure carries its {@link Problem} as `data`. */
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

/** Refuses all commands, for programs without any. */
export const noAdmin: AdminService = {
  answer: () => Promise.reject(new ProblemError(notServed())),
};

function adminFailure(found: Problem): RpcError {
  return new RpcError({ code: adminFailed, message: found.sentence, data: found });
}

/** An error code in the range that JSON-RPC leaves to applications. */
const adminFailed = -32_000;

function notServed(): Problem {
  const sentence = 'This program accepts no commands on its socket.';
  return problem('app.invalid_request', sentence, 'Send the command to a running Patchbay.');
}

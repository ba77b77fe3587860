import { problem } from '../../../shared/error/problem.ts';
import { ungreetedError } from '../../../shared/model/greeting.ts';
import { toRpcError } from '../route/error-map.ts';
import { RpcError, rpcErrorCodes } from '../rpc/message.ts';

export function refuseUngreeted(method: string): RpcError {
  return new RpcError(ungreetedError(method));
}

export function methodNotFound(method: string): RpcError {
  return new RpcError({ code: rpcErrorCodes.methodNotFound, message: `Method not found: ${method}` });
}

export function unknownLogLevel(level: unknown): RpcError {
  const message = `There is no log level ${JSON.stringify(level)}.`;
  return new RpcError({ code: rpcErrorCodes.invalidParams, message });
}

export function hubEnds(): RpcError {
  return outcomeUnknown('Patchbay was closed while this was under way');
}

export function clientEnds(): RpcError {
  return outcomeUnknown('The client ended its session while this was under way');
}

function outcomeUnknown(what: string): RpcError {
  const sentence = `${what}; whether it took effect is not known.`;
  return toRpcError(problem('call.outcome_unknown', sentence, 'Check what it did before you repeat it.'));
}

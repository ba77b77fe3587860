import { problem } from '../../../../shared/error/problem.ts';
import { scalarText } from '../../../../shared/json.ts';
import { notInitializedError } from '../../../../shared/model/client/initialize-result.ts';
import { logLevels } from '../../../../shared/model/server/log-levels.ts';
import { RpcError, rpcErrorCodes } from '../../jsonrpc/message.ts';
import { toRpcError } from '../../routing/error-map.ts';

export function notInitialized(method: string): RpcError {
  return new RpcError(notInitializedError(method));
}

export function methodNotFound(method: string): RpcError {
  return new RpcError({ code: rpcErrorCodes.methodNotFound, message: `Method not found: ${method}` });
}

export function unknownLogLevel(level: unknown): RpcError {
  const given = scalarText(level).slice(0, 40);
  const message = `There is no log level ${JSON.stringify(given)}; the levels are ${logLevels.join(', ')}.`;
  return new RpcError({ code: rpcErrorCodes.invalidParams, message });
}

export function profileUnknown(name: string): RpcError {
  const sentence = `There is no profile ${JSON.stringify(name)}, so this client gets nothing.`;
  const fix = 'Choose another profile for this client in Patchbay, or create one with this name.';
  return toRpcError(problem('profile.unknown', sentence, fix, { profile: name }), { profile: name });
}

export function profilesUnreadable(): RpcError {
  const sentence = 'The profile of this client cannot be read, so it gets nothing.';
  return toRpcError(
    problem('profile.unreadable', sentence, 'Fix profiles.json. Patchbay shows where the error is.'),
  );
}

export function hubClosed(): RpcError {
  return outcomeUnknown('Patchbay closed during this request');
}

export function sessionClosed(): RpcError {
  return outcomeUnknown('The client ended its session during this request');
}

function outcomeUnknown(event: string): RpcError {
  const sentence = `${event}, so it may or may not have taken effect.`;
  const fix = 'Check whether the call took effect before you repeat it.';
  return toRpcError(problem('call.outcome_unknown', sentence, fix));
}

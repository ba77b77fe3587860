import { type Problem, type ProblemCode, problem } from '../../../shared/error/problem.ts';
import { scalarText } from '../../../shared/json.ts';
import { hubErrorCodes, mcpErrorCodes } from '../../../shared/model/mcp.ts';
import { describeUnlistedServer } from '../../../shared/model/server/unlisted-server.ts';
import { patchbayCommand } from '../../../shared/shell-word.ts';
import { continuationKey, RpcError, rpcErrorCodes } from '../jsonrpc/message.ts';
import type { ServerState, SupervisedServer } from '../servers/contract.ts';
import type { ToolAddress } from './contract.ts';

/**
 * Converts a problem to an error response. `data` always has the stable code, the fix and the evidence, so
 * that programs need not parse the message; `facts` adds machine-readable details such as the server and its
 * status.
 */
export function toRpcError(problem: Problem, facts: Readonly<Record<string, unknown>> = {}): RpcError {
  const { code, sentence, fix, evidence } = problem;
  return new RpcError({
    code: wireCodes.get(code) ?? rpcErrorCodes.internalError,
    message: sentence,
    data: { code, ...facts, fix, evidence },
  });
}

/**
 * The protocol defines -32001 ("timed out") and -32002 ("no such resource"). Ours are -3201x, from before it
 * reserved -32020 to -32099 for itself, and -3102x, outside the range that JSON-RPC reserves.
 */
const wireCodes: ReadonlyMap<ProblemCode, number> = new Map<ProblemCode, number>([
  ['call.unknown_tool', rpcErrorCodes.methodNotFound],
  ['call.unknown_prompt', rpcErrorCodes.invalidParams],
  ['call.unknown_resource', mcpErrorCodes.resourceNotFound],
  ['call.timeout', mcpErrorCodes.timeout],
  ['call.server_unavailable', hubErrorCodes.serverUnavailable],
  ['server.too_many_instances', hubErrorCodes.serverUnavailable],
  ['call.outcome_unknown', hubErrorCodes.outcomeUnknown],
  ['call.tool_disabled', -32012],
  ['client.unclear', -32013],
  ['client.gone', -32014],
  ['call.circuit_open', -32015],
  ['call.queue_full', -32016],
  ['call.draining', hubErrorCodes.draining],
  ['call.tool_held', -32018],
  ['call.outside_profile', -32019],
  ['call.stopped', -31024],
  ['call.not_allowed', -31021],
  ['call.token_needed', -31021],
  ['call.identity_ended', -31021],
  ['access.unreadable', -31021],
  ['call.approval_denied', -31022],
  ['call.approval_timeout', -31023],
  ['call.approvals_full', -31023],
  ['profile.unknown', -31020],
  ['profile.unreadable', -31020],
  ['call.idempotency_mismatch', rpcErrorCodes.invalidParams],
  ['client.unable', rpcErrorCodes.methodNotFound],
]);

/**
 * Distinguishes an unknown name from one without a server prefix, as the specification requires (US3.4).
 * `meant` are names under which the client can call a tool of that name.
 */
export function unknownTool(name: string, suggestions: readonly string[] = []): RpcError {
  const hasPrefix = /[:.]|__/.test(name);
  const fix =
    suggestions.length === 0 ? relistAdvice : `Use ${suggestions.slice(0, maxSuggestions).join(' or ')}.`;
  const error = toRpcError(
    problem('call.unknown_tool', sentenceFor(name, hasPrefix, suggestions.length > 0 ? fix : ''), fix, {
      name,
    }),
  );
  return hasPrefix ? error : new RpcError({ ...error.toObject(), code: rpcErrorCodes.invalidParams });
}

function sentenceFor(name: string, hasPrefix: boolean, suggestion: string): string {
  if (hasPrefix) return `Tool not found: ${name}`;
  return `Tool name must be prefixed with server key: ${name}${suggestion === '' ? '' : `. ${suggestion}`}`;
}

/** Advice for a client that may have an outdated list. */
export const relistAdvice = 'List the tools again and use a name from that list.';

/** Maximum number of suggestions, because many servers may have a tool of that name. */
const maxSuggestions = 5;

/** Error for a name that may be right, because its server has never been listed. */
export function serverUnlisted(serverKey: string, name: string, state: ServerState | undefined): RpcError {
  const why = state !== undefined && 'problem' in state ? state.problem : undefined;
  const { sentence, fix } = describeUnlistedServer(serverKey, state?.status, why);
  const unavailable = problem('call.server_unavailable', `${name} cannot be found. ${sentence}`, fix, {
    server: serverKey,
  });
  const evidence = [...unavailable.evidence, ...(why?.evidence ?? [])];
  return toRpcError(
    { ...unavailable, evidence },
    {
      serverKey,
      ...(state === undefined ? {} : { status: state.status }),
      ...causeDetails(why),
    },
  );
}

export function unknownPrompt(name: string): RpcError {
  const fix = 'List the prompts again and use a name from that list.';
  return toRpcError(problem('call.unknown_prompt', `Prompt not found: ${name}`, fix, { name }));
}

export function unknownResource(uri: string): RpcError {
  const fix = 'List the resources again and use a URI from that list.';
  return toRpcError(problem('call.unknown_resource', `Resource not found: ${uri}`, fix, { uri }), { uri });
}

export function toolDisabled(serverKey: string, name: string): RpcError {
  const sentence = `The tool ${serverKey}:${name} is turned off.`;
  const fix = 'Turn it on in Patchbay under Tools, then call it again.';
  return toRpcError(problem('call.tool_disabled', sentence, fix, { server: serverKey, tool: name }), {
    serverKey,
  });
}

/** Error for a tool outside the client's profile. */
export function toolOutsideProfile(profile: string, serverKey: string, name: string): RpcError {
  const sentence = `The tool ${serverKey}:${name} is not in the profile ${JSON.stringify(profile)}, which this client uses.`;
  const fix = 'Add it to the profile in Patchbay, or give the client another profile.';
  return toRpcError(
    problem('call.outside_profile', sentence, fix, { server: serverKey, tool: name, profile }),
    {
      serverKey,
      profile,
    },
  );
}

/** Error for a server of which the client was granted nothing. */
export function serverNotGranted(serverKey: string): RpcError {
  const sentence = `This client is not allowed to use the server ${serverKey}.`;
  const fix =
    'Allow it in Patchbay under Clients → Access, or with "patchbay access grant", then connect again.';
  return toRpcError(problem('call.not_allowed', sentence, fix, { server: serverKey }), { serverKey });
}

/** Error for a quarantined tool: its definition is new or differs from the approved one. */
export function toolQuarantined(serverKey: string, name: string): RpcError {
  const sentence = `${name} changed and is blocked until the user reviews it in Patchbay.`;
  const fix = `Ask the user to review ${serverKey} in Patchbay (or run ${patchbayCommand('guard', 'list', serverKey)}), then list the tools again.`;
  return toRpcError(problem('call.tool_held', sentence, fix, { server: serverKey, tool: name }), {
    serverKey,
  });
}

/** Error for a call that a person cancelled in the hub. */
export function callStopped(serverKey: string, name: string): RpcError {
  const sentence = `The call to ${name} on ${serverKey} was cancelled in Patchbay and may or may not have taken effect.`;
  const fix = 'Ask the user before you call it again.';
  return toRpcError(problem('call.stopped', sentence, fix, { server: serverKey }), { serverKey });
}

/** Error for a name of a server that the user turned off. */
export function serverSwitchedOff(serverKey: string): RpcError {
  const sentence = `The server ${serverKey} is turned off.`;
  const fix = `Turn on ${serverKey} in Patchbay, or with ${patchbayCommand('enable', serverKey)}, then call it again.`;
  return toRpcError(problem('call.server_unavailable', sentence, fix, { server: serverKey }), {
    serverKey,
    status: 'disabled',
  });
}

export function missingParam(method: string, param: string): RpcError {
  return new RpcError({
    code: rpcErrorCodes.invalidParams,
    message: `${method} requires the parameter "${param}" as a string.`,
    data: { code: 'app.invalid_request' satisfies ProblemCode, param },
  });
}

/** Error for an object passed as JSON in a string, as models sometimes do. No server would accept it. */
export function objectExpected(method: string, param: string): RpcError {
  return new RpcError({
    code: rpcErrorCodes.invalidParams,
    message: `${method} requires the parameter "${param}" as an object, not as a string. Call it again with the object itself.`,
    data: { code: 'app.invalid_request' satisfies ProblemCode, param },
  });
}

/**
 * Error for a request that was not sent. `said` is the reason given by the supervisor; `state` is the
 * server's state, undefined if it is no longer configured.
 */
export function serverUnavailable(serverKey: string, state?: ServerState, reason?: Problem): RpcError {
  const known = state !== undefined && 'problem' in state ? state.problem : undefined;
  const why = reason ?? known;
  const facts = { serverKey, status: state?.status ?? 'disabled', ...causeDetails(known ?? reason) };
  if (why !== undefined && selfExplaining.has(why.code)) return toRpcError(why, facts);
  const sentence = `The server ${serverKey} is not available${why === undefined ? '.' : `: ${why.sentence}`}`;
  const fix = why?.fix ?? 'Turn on the server, or wait until it has started, then try again.';
  const unavailable = problem('call.server_unavailable', sentence, fix, { server: serverKey });
  return toRpcError({ ...unavailable, evidence: [...unavailable.evidence, ...(why?.evidence ?? [])] }, facts);
}

/** Problems whose own text already explains why the call cannot be made. */
const selfExplaining: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'call.server_unavailable',
  'call.draining',
]);

function causeDetails(why: Problem | undefined): { readonly cause?: ProblemCode } {
  return why === undefined || selfExplaining.has(why.code) ? {} : { cause: why.code };
}

/**
 * Error for a request that was sent but gets no response. `why` is the known reason, `attempts` the number of
 * times it was sent.
 */
export function outcomeUnknown(
  server: Pick<SupervisedServer, 'key' | 'state'>,
  method: string,
  attempts: number,
  why?: Problem,
): RpcError {
  const { key, state } = server;
  const request = describeRequest(method);
  const repeats = attempts > 1 ? ` ${attempts} times in a row` : '';
  // Over HTTP a server may still run without having answered.
  const sentence =
    why?.code === 'server.unreachable'
      ? `${key} did not answer ${request}${repeats}. ${withFullStop(why.sentence)} The call may or may not have taken effect.`
      : `${key} stopped during ${request}${repeats}, so it may or may not have taken effect.`;
  const fix =
    attempts > 1
      ? "Check the server's log for the reason."
      : 'Check whether the call took effect before you repeat it. Patchbay has not repeated it.';
  const unknown = problem('call.outcome_unknown', sentence, fix, { server: key, method });
  const evidence = [...unknown.evidence, ...(why?.evidence ?? [])];
  return toRpcError({ ...unknown, evidence }, { serverKey: key, status: state.status, attempts });
}

/** Error for a call whose server went away between its question and the answer; `state` lets the client go on. */
export function interrupted(serverKey: string, method: string, state: string | undefined): RpcError {
  const sentence = `${serverKey} stopped while ${describeRequest(method)} waited for an answer to its question. The call was not completed, and nothing of it is running.`;
  const stopped = problem('call.server_unavailable', sentence, 'Make the call again.', {
    server: serverKey,
    method,
  });
  return toRpcError(stopped, { serverKey, ...(state === undefined ? {} : { [continuationKey]: state }) });
}

function describeRequest(method: string): string {
  return method === 'tools/call' ? 'this call' : `this request (${method})`;
}

/** Adds the full stop that server messages often lack. */
export function withFullStop(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

export function callTimedOut(serverKey: string, method: string, limitMs: number): RpcError {
  const sentence = `${serverKey} did not answer ${describeRequest(method)} within its limit of ${limitMs / 1000} s and was asked to stop.`;
  const fix = 'Raise "timeout" for this server in the config, or check what it is waiting for.';
  const timedOut = problem('call.timeout', sentence, fix, {
    server: serverKey,
    method,
    milliseconds: limitMs,
  });
  return toRpcError(timedOut, { serverKey });
}

/** Error for a tool that is paused after too many failures. */
export function circuitOpen(tool: ToolAddress, failures: number, until: number, now: number): RpcError {
  const { serverKey, name } = tool;
  const seconds = Math.max(1, Math.ceil((until - now) / 1000));
  const sentence = `${serverKey}:${name} failed ${failures} times in a row, so Patchbay has paused it. Try again in ${seconds} s.`;
  const fix = `Call it again then, or check the log of ${serverKey} and restart the server.`;
  const open = problem('call.circuit_open', sentence, fix, { server: serverKey, tool: name, failures });
  return toRpcError(open, { serverKey, tool: name, until, retryAfter: until - now });
}

export function queueFull(serverKey: string, waiting: number): RpcError {
  const sentence = `${serverKey} has reached its limit of concurrent calls, and ${waiting} more are waiting.`;
  const fix = 'Call it again later, or raise "concurrency" for this server in the config.';
  return toRpcError(problem('call.queue_full', sentence, fix, { server: serverKey, waiting }), { serverKey });
}

export function idempotencyMismatch({ serverKey, name }: ToolAddress): RpcError {
  const sentence = `The idempotency key was already used for a call to ${serverKey}:${name} with different arguments.`;
  const fix = 'Use a new key for a new call.';
  const mismatch = problem('call.idempotency_mismatch', sentence, fix, { server: serverKey, tool: name });
  return toRpcError(mismatch, { serverKey, tool: name });
}

/** Adds machine-readable details to the `data` of an error. */
export function withDetails(error: RpcError, facts: Readonly<Record<string, unknown>>): RpcError {
  const { code, message, data } = error.toObject();
  return new RpcError({ code, message, data: { ...(data as object | undefined), ...facts } });
}

/** Ends a cancelled request locally; by the protocol it gets no response. */
export function cancelled(): RpcError {
  return new RpcError({ code: -32800, message: 'The request was cancelled.' });
}

/** Also used for tasks of other sessions, whose existence must not be revealed. */
export function unknownTask(taskId: unknown): RpcError {
  const message = `Task not found: ${scalarText(taskId)}`;
  return new RpcError({ code: rpcErrorCodes.invalidParams, message });
}

/** Error for a task whose process has ended and whose server no longer knows it. */
export function taskLost(serverKey: string, taskId: string, wasFinished: boolean): RpcError {
  const sentence = wasFinished
    ? `The result of the task ${taskId} is lost because the process of ${serverKey} that had it has ended.`
    : `${serverKey} stopped during the task ${taskId}, so it may or may not have taken effect.`;
  const fix = 'Check whether the call took effect before you repeat it. Patchbay has not repeated it.';
  const lost = problem('call.outcome_unknown', sentence, fix, { server: serverKey, task: taskId });
  return toRpcError(lost, { serverKey, taskId });
}

import { looksLikeErrorResult } from '../../jsonrpc/error-result.ts';
import type { RpcError } from '../../jsonrpc/message.ts';
import type { CallRecord, UnroutableCall } from '../../routing/contract.ts';
import { type TraceParent, traceParentOf } from './trace-parent.ts';

/** A call as a span: its target and result, but no arguments or answers. */
export interface CallSpan {
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly parent: TraceParent | undefined;
}

/** Uses the semantic conventions for MCP; other attributes are under `patchbay.`. */
export function spanOfCall(call: CallRecord): CallSpan {
  const { method, name, serverKey, startedAt, endedAt = startedAt, attempts, outcome = 'lost' } = call;
  const target = targetOf(method, name);
  const hasFailed = outcome === 'ok' && call.answer !== undefined && looksLikeErrorResult(call.answer);
  const error = hasFailed ? { 'error.type': 'tool_error' } : errorOf(outcome, call.error);
  return {
    name: target === undefined ? method : `${method} ${target}`,
    startedAt,
    endedAt,
    isError: error !== undefined,
    attributes: {
      ...common(method, call.request.id),
      ...(target === undefined ? {} : { [targets[method] ?? '']: target }),
      'patchbay.server.key': serverKey,
      'patchbay.outcome': outcome,
      'patchbay.attempts': attempts,
      ...(call.fallback === undefined
        ? {}
        : {
            'patchbay.fallback.server.key': call.fallback.serverKey,
            'patchbay.fallback.tool.name': call.fallback.name,
          }),
      ...error,
    },
    parent: traceParentOf(call.request),
  };
}

/** A call that could not be routed. Its target may be any text, so it is left out. */
export function spanOfUnroutable({ request, at, error }: UnroutableCall): CallSpan {
  return {
    name: request.method,
    startedAt: at,
    endedAt: at,
    isError: true,
    attributes: {
      ...common(request.method, request.id),
      'patchbay.outcome': 'refused',
      'patchbay.attempts': 0,
      ...errorOf('refused', error),
    },
    parent: traceParentOf(request),
  };
}

function common(method: string, id: unknown): CallSpan['attributes'] {
  return {
    'mcp.method.name': method,
    ...(method === 'tools/call' ? { 'gen_ai.operation.name': 'execute_tool' } : {}),
    ...(typeof id === 'string' || typeof id === 'number' ? { 'jsonrpc.request.id': String(id) } : {}),
  };
}

/** Leaves out the URI of a resource, which is an argument. */
function targetOf(method: string, name: string | undefined): string | undefined {
  return targets[method] === undefined ? undefined : name;
}

const targets: Readonly<Record<string, string>> = {
  'tools/call': 'gen_ai.tool.name',
  'prompts/get': 'gen_ai.prompt.name',
};

function errorOf(outcome: string, error: RpcError | undefined): CallSpan['attributes'] | undefined {
  if (outcome === 'ok') return undefined;
  if (error === undefined) return { 'error.type': outcome };
  const status = { 'rpc.response.status_code': String(error.code) };
  return { 'error.type': ownCode(error) ?? String(error.code), ...status };
}

/** Returns the code of an error that is our own; codes in a server's error may be any text. */
function ownCode({ received: wire, data }: RpcError): string | undefined {
  if (wire !== undefined || typeof data !== 'object' || data === null) return undefined;
  return 'code' in data && typeof data.code === 'string' ? data.code : undefined;
}

import type { Context } from 'hono';
import { isErrorResult } from '../../jsonrpc/error-result.ts';
import type {
  ApiPorts,
  Invocation,
  InvocationAnswer,
  InvocationFailure,
  ToolResolution,
} from '../contract.ts';
import type { ApiEnv } from '../http/api-env.ts';
import { ApiError, unknownTool } from '../http/api-error.ts';
import { defineRoute, jsonAnswer, jsonBody } from '../http/define-route.ts';
import { rawText } from '../http/raw-text.ts';
import { traceIn } from '../http/trace-headers.ts';
import { InvocationRefused } from '../invocation-refused.ts';
import { bodyMember } from '../raw/body-member.ts';
import { resultBytes, resultWith } from '../raw/result-text.ts';
import { callResultSchema, callSchema, invocationResultSchema, invocationSchema } from '../schema/call.ts';
import type { ApiApp } from './api-app.ts';
import { callIdentity } from './call-identity.ts';
import { callRefusal } from './call-refusal.ts';
import { CallSlots } from './call-slots.ts';
import { neverListed, unavailable } from './known-servers.ts';
import { time } from './server-answer.ts';

const callRoute = defineRoute({
  tags: ['calls'],
  method: 'post',
  path: '/api/v1/tools/call',
  summary: 'Calls a tool by its namespaced name, or by its raw name and its server.',
  request: { body: jsonBody(callSchema) },
  errors: [404, 409, 422, 504],
  responses: { 200: jsonAnswer("The tool's result.", callResultSchema) },
});
const invokeRoute = defineRoute({
  tags: ['mcp'],
  method: 'post',
  path: '/api/v1/mcp/invoke',
  summary: 'Invokes a tool.',
  request: { body: jsonBody(invocationSchema) },
  errors: [404, 409, 504],
  responses: { 200: jsonAnswer('The tool’s result.', invocationResultSchema) },
});

/** Routes for tool calls. Arguments and results pass through unchanged. */
export function callRoutes(app: ApiApp, ports: ApiPorts): void {
  const slots = new CallSlots();
  app.openapi(callRoute, async (context) => {
    const body = context.req.valid('json');
    const identityId = callIdentity(ports, context, body.agent_id);
    const place = ports.place(body.name, body.server_id && (await serverKeyOf(ports, body.server_id)));
    const called = await callableTool(ports, place, body.name);
    const call = { identityId, ...called, ...rawCall(context, 'arguments', body.idempotency_key) };
    const answer = await slots.run(identityId, () => invoke(ports, call));
    return rawText(context, callAnswer(answer));
  });
  app.openapi(invokeRoute, async (context) => {
    const body = context.req.valid('json');
    const facts = { correlation_id: body.correlation_id };
    try {
      const identityId = callIdentity(ports, context, body.agent_id);
      const place = ports.place(body.tool_name, await serverKeyOf(ports, body.server_id));
      const called = await callableTool(ports, place, `${body.server_id}:${body.tool_name}`);
      const raw = rawCall(context, 'params', body.idempotency_key);
      const call = { identityId, correlationId: body.correlation_id, ...called, ...raw };
      const answer = await slots.run(identityId, () => invoke(ports, call));
      return rawText(context, invocationAnswer(ports, body.correlation_id, answer));
    } catch (error) {
      throw asInvocationError(ports, error, facts);
    }
  });
}

type Raw = Pick<Invocation, 'argumentsText' | 'signal' | 'idempotencyKey' | 'trace'>;

function rawCall(context: Context<ApiEnv>, member: string, idempotencyKey: string | undefined): Raw {
  return {
    argumentsText: bodyMember(context.get('body'), member) ?? '{}',
    signal: context.req.raw.signal,
    trace: traceIn((name) => context.req.header(name)),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}

/** A registered server may be named by its id. */
async function serverKeyOf({ registry, hub }: ApiPorts, idOrKey: string): Promise<string> {
  if (hub.servers().some(({ key }) => key === idOrKey)) return idOrKey;
  return (await registry.find(idOrKey))?.key ?? idOrKey;
}

/** Returns the tool to call; rejects if it cannot be called. */
async function callableTool(
  ports: ApiPorts,
  place: ToolResolution,
  name: string,
): Promise<{ readonly serverKey: string; readonly tool: string }> {
  switch (place.kind) {
    case 'found':
      return place;
    case 'disabled':
    case 'held':
      throw disabled(place.kind, name);
    case 'server-off':
      throw await unavailable(ports, place.serverKey, `The server ${place.serverKey} is turned off.`);
    case 'unlisted':
      throw await neverListed(ports, place.serverKey);
    default:
      throw unknownTool(name);
  }
}

function disabled(why: 'disabled' | 'held', name: string): ApiError {
  const [code, sentence, fix] =
    why === 'disabled'
      ? (['tool_disabled', `The tool ${name} is turned off.`, 'Turn it on, then call it again.'] as const)
      : ([
          'tool_held',
          `${name} changed and is blocked until the user reviews it in Patchbay.`,
          'Approve its definition in Patchbay.',
        ] as const);
  return new ApiError(409, 'ToolDisabledError', code, sentence, { fix });
}

async function invoke(ports: ApiPorts, call: Invocation): Promise<InvocationAnswer> {
  try {
    return await ports.invoke(call);
  } catch (error) {
    if (!(error instanceof InvocationRefused)) throw error;
    throw await refusal(ports, call.serverKey, error.failure);
  }
}

async function refusal(ports: ApiPorts, serverKey: string, failure: InvocationFailure): Promise<ApiError> {
  const facts = { attempts: failure.attempts, latency_ms: failure.milliseconds };
  if (failure.code !== 'call.server_unavailable' && failure.code !== 'call.draining') {
    return callRefusal(failure, facts);
  }
  return unavailable(ports, serverKey, failure.message, facts);
}

function callAnswer(answer: InvocationAnswer): string {
  const result = resultBytes(answer.answer);
  const routing = Math.max(0, answer.milliseconds - answer.executionMs);
  return resultWith(result, {
    isError: false,
    metadata: {
      routed_to: answer.serverKey,
      routing_time_ms: rounded(routing),
      execution_time_ms: rounded(answer.executionMs),
    },
  });
}

function invocationAnswer({ clock }: ApiPorts, correlationId: string, answer: InvocationAnswer): string {
  const result = resultBytes(answer.answer);
  const failed = isErrorResult(result);
  const members = JSON.stringify({
    correlation_id: correlationId,
    success: !failed,
    ...(failed ? { error: 'The tool reported an error; see its result.' } : {}),
    attempts: answer.attempts,
    latency_ms: rounded(answer.milliseconds),
    completed_at: time(clock.now()),
  });
  return `${members.slice(0, -1)},"result":${result.toString('utf8')}}`;
}

/** Adds the members of an invocation result to a refusal. */
function asInvocationError(
  { clock }: ApiPorts,
  error: unknown,
  facts: Readonly<Record<string, unknown>>,
): unknown {
  if (!(error instanceof ApiError)) return error;
  const { status, type, code, message, details } = error;
  const result = { success: false, attempts: 0, latency_ms: 0, completed_at: time(clock.now()) };
  return new ApiError(status, type, code, message, {
    ...details,
    facts: { ...facts, ...result, ...details.facts },
  });
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000;
}

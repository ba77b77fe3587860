import type { Hook } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { ProblemError } from '../../../../shared/error/problem.ts';
import type { Logger } from '../../base/logger.ts';
import type { ApiEnv } from './api-env.ts';
import { ApiError, badRequest, type FieldFault } from './api-error.ts';
import { problemError } from './problem-error.ts';

/** Answers errors in one format; unexpected errors reveal nothing internal. */
export function answerError(log: Logger): (error: Error, context: Context<ApiEnv>) => Response {
  return (error, context) => {
    const known = knownError(error);
    if (known === undefined) log.log('warn', 'A request to the API failed', { error: String(error) });
    const answer =
      known ?? new ApiError(500, 'ServerError', 'internal', 'An unexpected error occurred; see the log.');
    const headers = { 'content-type': 'application/json', ...answer.headers() };
    return context.body(answer.text(), answer.status, headers);
  };
}

function knownError(error: Error): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof ProblemError) return problemError(error.problem);
  if (!(error instanceof HTTPException)) return undefined;
  if (error.status === 415) {
    const sentence = 'The body must be application/json.';
    return new ApiError(415, 'BadRequestError', 'unsupported_media_type', sentence);
  }
  return badRequest('invalid_json', 'The body is not JSON.');
}

/** Answers 422 with the invalid fields, or 400 on the integration design's paths, as its table says. */
// biome-ignore lint/suspicious/noExplicitAny: the type of the library's hooks
export const answerInvalid: Hook<any, ApiEnv, any, any> = (result, context) => {
  if (result.success) return;
  const fields: readonly FieldFault[] = result.error.issues.map(({ path, message }) => ({
    path: path.map(String).join('.'),
    message,
  }));
  const isDesign = context.req.path.startsWith('/api/v1/mcp/');
  const [first] = fields;
  const sentence = `The request is invalid: ${first?.path || 'the body'}: ${first?.message ?? 'it is invalid'}.`;
  throw new ApiError(isDesign ? 400 : 422, 'BadRequestError', 'invalid_request', sentence, { fields });
};

import { createRoute, type RouteConfig, type z } from '@hono/zod-openapi';
import { errorSchema } from '../schema/error.ts';
import type { ErrorStatus } from './api-error.ts';

/** Meaning of each error status on all routes. */
const errorSentences: Readonly<Record<ErrorStatus, string>> = {
  400: 'The request is invalid (`BadRequestError`).',
  401: 'The token is missing, unknown or expired, or the identity may not do this (`AuthorizationError`).',
  403: 'The admin token is required, or the request comes from another origin.',
  404: 'Not found (`NotFoundError`, `ToolNotFoundError`).',
  405: 'The path does not support this method; see Allow.',
  409: 'The request conflicts with existing data (`ConflictError`), or the tool is disabled (`ToolDisabledError`).',
  413: 'The body is larger than 4 MiB.',
  415: 'The body is not application/json in UTF-8.',
  422: 'The body does not fit the schema; `fields` lists the errors.',
  429: 'Too many requests (`RateLimitError`); see Retry-After.',
  500: 'The tool failed (`ToolInvocationError`), or Patchbay did (`ServerError`).',
  503: 'The server is not connected, its circuit is open (`CircuitOpenError`), or Patchbay is busy.',
  504: 'No answer in time (`TimeoutError`).',
};

/** Statuses of all requests, of requests that need a token, and of requests with a body. */
const commonErrors: readonly ErrorStatus[] = [400, 403, 405, 500];
const callerErrors: readonly ErrorStatus[] = [...commonErrors, 401, 429, 503];
const bodyErrors: readonly ErrorStatus[] = [400, 413, 415];

type Shape = RouteConfig & {
  /** Errors in addition to the common ones. */
  readonly errors?: readonly ErrorStatus[];
};

/**
 * Creates a route with its errors documented. Errors are thrown, so the return type of handlers stays the
 * same.
 */
export function defineRoute<P extends string, R extends Omit<Shape, 'path'> & { path: P }>(shape: R) {
  const { errors = [], ...route } = shape;
  const isOpen = route.security?.length === 0;
  const all = new Set<ErrorStatus>([
    ...(isOpen ? commonErrors : callerErrors),
    ...(route.request?.body === undefined ? [] : bodyErrors),
    ...errors,
  ]);
  const refusals = [...all].sort().map((status) => [status, refusal(errorSentences[status])] as const);
  const documented = {
    security: [{ bearer: [] }],
    ...route,
    responses: { ...route.responses, ...Object.fromEntries(refusals) },
  };
  return createRoute<P, R>(documented as unknown as R);
}

function refusal(description: string) {
  return { description, content: { 'application/json': { schema: errorSchema } } };
}

/** Describes a required body. */
export function jsonBody<S extends z.ZodType>(schema: S) {
  return { required: true as const, content: { 'application/json': { schema } } };
}

export function jsonAnswer<S extends z.ZodType>(description: string, schema: S) {
  return { description, content: { 'application/json': { schema } } };
}

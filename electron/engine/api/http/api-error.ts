import type { ServerInfo } from '../schema/server.ts';

/** Names of the integration design's error table, and `ServerError` for our own faults. */
export const errorTypes = [
  'BadRequestError',
  'AuthorizationError',
  'ToolNotFoundError',
  'NotFoundError',
  'ConflictError',
  'ToolDisabledError',
  'RateLimitError',
  'ToolInvocationError',
  'CircuitOpenError',
  'ServiceUnavailableError',
  'TimeoutError',
  'ServerError',
] as const;
export type ErrorType = (typeof errorTypes)[number];

/** An invalid field of a request; `path` as in `connection_config.url`. */
export interface FieldFault {
  readonly path: string;
  readonly message: string;
}

export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503 | 504;

export interface ErrorDetails {
  readonly fix?: string | undefined;
  readonly fields?: readonly FieldFault[];
  /** The server that is unavailable. */
  readonly server?: ServerInfo;
  /** Seconds after which to retry. */
  readonly retryAfter?: number;
  readonly allow?: readonly string[];
  /** The JSON of the server's own error, passed on unchanged. */
  readonly cause?: string | undefined;
  /** Additional members of the answer. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** An error answer: a documented status and a body in one format. */
export class ApiError extends Error {
  readonly status: ErrorStatus;
  readonly type: ErrorType;
  readonly code: string;
  readonly details: ErrorDetails;

  constructor(
    status: ErrorStatus,
    type: ErrorType,
    code: string,
    sentence: string,
    details: ErrorDetails = {},
  ) {
    super(sentence);
    this.name = 'ApiError';
    this.status = status;
    this.type = type;
    this.code = code;
    this.details = details;
  }

  text(): string {
    const { fix, fields, server, facts, cause } = this.details;
    const text = JSON.stringify({
      ...facts,
      error: this.message,
      error_type: this.type,
      code: this.code,
      ...(fix === undefined ? {} : { fix }),
      ...(fields === undefined ? {} : { fields }),
      ...(server === undefined ? {} : { server }),
    });
    return cause === undefined ? text : `${text.slice(0, -1)},"cause":${cause}}`;
  }

  headers(): Readonly<Record<string, string>> {
    const { retryAfter, allow } = this.details;
    return {
      ...(retryAfter === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) }),
      ...(allow === undefined ? {} : { allow: allow.join(', ') }),
      ...(this.status === 401 ? { 'www-authenticate': 'Bearer realm="patchbay"' } : {}),
    };
  }
}

export function badRequest(code: string, sentence: string, details: ErrorDetails = {}): ApiError {
  return new ApiError(400, 'BadRequestError', code, sentence, details);
}

export function unauthorized(code: string, sentence: string, fix: string): ApiError {
  return new ApiError(401, 'AuthorizationError', code, sentence, { fix });
}

export function adminOnly(): ApiError {
  const sentence = 'This request requires the admin token.';
  const fix = 'Send the token in admin.token of the data folder as "Authorization: Bearer …".';
  return new ApiError(403, 'AuthorizationError', 'admin_only', sentence, { fix });
}

export function unknownServer(id: string): ApiError {
  const sentence = `There is no server ${JSON.stringify(id)}.`;
  return new ApiError(404, 'NotFoundError', 'server_not_found', sentence, {
    fix: 'List the servers and use an id or a name from there.',
  });
}

export function unknownTool(name: string): ApiError {
  const sentence = `Tool not found: ${name}`;
  return new ApiError(404, 'ToolNotFoundError', 'tool_not_found', sentence, {
    fix: 'List the tools and use a name from there.',
  });
}

import { type Problem, ProblemError, problem } from '../../../../shared/error/problem.ts';
import { ConnectionClosedError } from '../../jsonrpc/message.ts';
import { publicUrl, unreachable } from './http-problem.ts';
import { causeMessage, ProxyError } from './proxy-error.ts';

/** The server closed the connection before its answer was complete; it may have processed the message. */
export class CutOffError extends ConnectionClosedError {
  constructor(cause: ProblemError) {
    super(cause.message, true, { cause });
    this.name = 'CutOffError';
  }
}

/** Explains why a request or its answer was lost; `sent` is false if no connection was made. */
export function networkError(url: URL, error: unknown): ConnectionClosedError {
  if (error instanceof ProxyError) return proxyFailure(url, error);
  if (causeMessage(error) === blockedPort) return blockedPortError(url, error);
  const code = causeCode(error);
  const found = unreachable(url, '', { error: code ?? causeMessage(error) }, error);
  const cause = new ProblemError({ ...found.problem, ...describeNetworkError(url, code) }, { cause: error });
  if (code !== undefined && CUT_OFF_CODES.has(code)) return new CutOffError(cause);
  return new ConnectionClosedError(cause.problem.sentence, !isBeforeSending(code), { cause });
}

function proxyFailure(url: URL, error: ProxyError): ConnectionClosedError {
  const { proxy, message } = error;
  const isRefusal = error.code === 'PROXY_REFUSED';
  const sentence = isRefusal
    ? `The proxy ${proxy} refused the connection to ${url.hostname}.`
    : `The proxy ${proxy} cannot be reached.`;
  const fix = isRefusal
    ? 'Fix HTTPS_PROXY, or the user name and password in it. To go without the proxy, add the host to NO_PROXY.'
    : 'Fix or remove HTTPS_PROXY and HTTP_PROXY, or add the host to NO_PROXY, then start Patchbay again.';
  const evidence = { url: publicUrl(url), proxy, error: message };
  const found = { ...problem('server.unreachable', sentence, fix, evidence), cause: proxyCause };
  return new ConnectionClosedError(sentence, false, { cause: new ProblemError(found, { cause: error }) });
}

/** Message of the HTTP client for a port that it never connects to, which has no code of its own. */
const blockedPort = 'bad port';

function blockedPortError(url: URL, error: unknown): ConnectionClosedError {
  const sentence = `HTTP clients never connect to port ${portOf(url)}, which is reserved for another protocol.`;
  const fix = 'Run the server on another port, and change the address in the config.';
  const found = problem('config.invalid_schema', sentence, fix, { url: publicUrl(url) });
  return new ConnectionClosedError(sentence, false, { cause: new ProblemError(found, { cause: error }) });
}

const proxyCause = { code: 'proxy' } as const;

/** Turns a network error code into a sentence that starts with the cause. */
function describeNetworkError(url: URL, code = ''): Pick<Problem, 'sentence' | 'fix' | 'cause'> {
  const { hostname: host } = url;
  const online = 'Check your internet connection, and the address in the config.';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const cause = { code: 'host_not_found', subject: host } as const;
    return { sentence: `${host} was not found. Are you online?`, fix: online, cause };
  }
  if (code === 'ECONNREFUSED') {
    const place = `${host}:${portOf(url)}`;
    const cause = { code: 'connection_refused', subject: place } as const;
    const fix = 'Start the server, or fix the address in the config.';
    return { sentence: `Nothing is listening on ${place}.`, fix, cause };
  }
  const flaw = certificateFlaws[code];
  if (flaw !== undefined) {
    const fix =
      'If you trust it, set NODE_EXTRA_CA_CERTS to the certificate of its issuer before you start Patchbay. Otherwise ask whoever runs the server.';
    return {
      sentence: `The certificate of ${host} ${flaw}.`,
      fix,
      cause: { code: 'certificate', subject: host },
    };
  }
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) {
    const fix = 'If this is your own server without HTTPS, use http:// in its address.';
    return { sentence: `${host}:${portOf(url)} does not speak HTTPS as expected.`, fix };
  }
  if (CUT_OFF_CODES.has(code)) {
    return {
      sentence: 'The server closed the connection without an answer.',
      fix: 'Try again. If it keeps happening, check the server’s log.',
    };
  }
  if (code.endsWith('TIMEOUT') || code === 'ETIMEDOUT') {
    return { sentence: `${host} did not answer in time.`, fix: online };
  }
  return describeUnreadableAnswer(url, code) ?? { sentence: `${host} cannot be reached.`, fix: online };
}

/** The server received the request, but its answer is incomplete or unreadable. */
export function brokenAnswer(url: URL, error: unknown): ConnectionClosedError {
  const code = causeCode(error);
  const garbled = describeUnreadableAnswer(url, code);
  const found = unreachable(url, cutOffSentence, { error: code }, error);
  const cause = new ProblemError({ ...found.problem, ...garbled }, { cause: error });
  return garbled === undefined
    ? new CutOffError(cause)
    : new ConnectionClosedError(cause.problem.sentence, true, { cause });
}

/** Returns true if the server answered, but not by the rules of HTTP. */
export function violatesHttp(error: unknown): boolean {
  return httpViolation.test(causeCode(error) ?? '') || causeMessage(error) === unexpectedResponse;
}

const httpViolation = /^(?:HPE_|UND_ERR_RES_CONTENT_LENGTH)/;
/** Message of the HTTP client for a response where none may be, which has no code of its own. */
const unexpectedResponse = 'bad response';

const cutOffSentence = 'The server closed the connection in the middle of its answer.';

function describeUnreadableAnswer(
  { hostname }: URL,
  code = '',
): Pick<Problem, 'sentence' | 'fix'> | undefined {
  const [, how] = unreadableForms.find(([form]) => form.test(code)) ?? [];
  if (how === undefined) return undefined;
  const fix = 'Report this to whoever runs the server, or the proxy in front of it.';
  return { sentence: `${hostname} ${how}, so Patchbay cannot read its answer.`, fix };
}

/** Reasons why an answer cannot be read, by the error codes of Node and its HTTP client. */
const unreadableForms: readonly (readonly [RegExp, string])[] = [
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'sends too many headers'],
  [httpViolation, 'does not follow the HTTP standard'],
  [/^(?:Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING)/, 'declares a compression that its answer does not use'],
];

function portOf({ port, protocol }: URL): string {
  return port === '' ? ({ 'http:': '80', 'https:': '443' }[protocol] ?? '') : port;
}

const certificateFlaws: Readonly<Partial<Record<string, string>>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed, so this computer does not trust it',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an issuer that this computer does not trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes from an issuer that this computer does not trust',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an issuer that this computer does not trust',
  CERT_HAS_EXPIRED: 'has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'was issued for another name',
};

/** Failures that occur before the first byte of a request can be sent. */
const BEFORE_SENDING_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Failures of an established connection. */
const CUT_OFF_CODES: ReadonlySet<string> = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_SOCKET']);

function isBeforeSending(code: string | undefined): boolean {
  return code !== undefined && BEFORE_SENDING_CODES.has(code);
}

/** Finds the error code; `fetch` wraps the original error, and the innermost one has the code. */
function causeCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return causeCode(error.cause);
}

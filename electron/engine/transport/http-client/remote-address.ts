import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { serverUrl } from './http-problem.ts';

/** Address of a server and the headers of each request to it. */
export interface RemoteAddress {
  /** Without user and password: requests must not contain them, and addresses are shown. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Reads the address and headers of an entry. A user and password in the address become an Authorization
 * header, unless there is one. Throws ProblemError, which never contains a value, if no request can be made
 * with them.
 */
export function remoteAddress(text: string, given: Readonly<Record<string, string>>): RemoteAddress {
  for (const [name, value] of Object.entries(given)) requireHeader(name, value);
  const headers = Object.fromEntries(
    Object.entries(given).filter(([name]) => !connectionHeaders.has(name.toLowerCase())),
  );
  const url = serverUrl(text);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  if ((username === '' && password === '') || hasAuthorization(headers)) return { url, headers };
  const login = Buffer.from(`${decodeLenient(username)}:${decodeLenient(password)}`).toString('base64');
  return { url, headers: { ...headers, Authorization: `Basic ${login}` } };
}

/** Headers of one request or connection, which people copy from other programs and which fail every request. */
const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Hides Node's own error for a bad header, which contains its value. */
function requireHeader(name: string, value: string): void {
  try {
    new Headers([[name, value]]);
  } catch {
    const sentence = `The header ${JSON.stringify(name)} cannot be sent.`;
    const fix = 'Remove characters that HTTP does not allow, such as line breaks.';
    throw new ProblemError(problem('config.invalid_schema', sentence, fix, { header: name }));
  }
}

function hasAuthorization(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

/** Keeps a percent sign that encodes nothing. */
function decodeLenient(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

import { type Problem, ProblemError, problem } from '../../../../shared/error/problem.ts';
import { type AccessRefusal, publicUrl } from '../http-client/http-problem.ts';
import type { AuthChallenge } from './contract.ts';
import { ServiceRefusal } from './service-refusal.ts';

/** The server names another service to sign in at, so the tokens of the last sign-in are not used any more. */
export class IssuerChangedError extends Error {
  readonly before: string;
  readonly now: string;

  constructor(before: string, now: string) {
    super('The server now uses another sign-in service.');
    this.name = 'IssuerChangedError';
    this.before = before;
    this.now = now;
  }
}

/** The server requires a sign-in, which is the fix. `ended` is the error that ended the last sign-in. */
export function signInNeeded(
  url: URL,
  challenge: AuthChallenge,
  hadToken: boolean,
  ended?: unknown,
  refusal: Partial<AccessRefusal> = {},
): Problem {
  const { status, scope, said } = challenge;
  const why = ended === undefined ? { error: challenge.error, said } : failureFacts(ended);
  const evidence = {
    url: publicUrl(url),
    status: refusal.status ?? status,
    'the server said': refusal.words,
    scope,
    ...why,
  };
  const say = (sentence: string, fix: string) => problem('server.unauthorized', sentence, fix, evidence);
  if (ended instanceof IssuerChangedError) {
    return say(
      'The server now uses another sign-in service, so your sign-in is no longer valid.',
      'Sign in again.',
    );
  }
  if (status === 403) {
    return say('The server asks for more permission than your sign-in gave.', 'Sign in again to grant it.');
  }
  return hadToken || ended !== undefined
    ? say('Your sign-in to this server is no longer valid.', 'Sign in again.')
    : say('This server requires a sign-in.', 'Sign in.');
}

/** The server asks for permission that the last sign-in asked for in vain, so another one would not help. */
export function permissionNotGiven(url: URL, { status, scope, said, error }: AuthChallenge): Problem {
  const sentence = 'The server requires a permission that the sign-in service did not grant.';
  const fix =
    'Ask whoever runs the server to give your account that permission. Until then, signing in again does not help.';
  return problem('server.unauthorized', sentence, fix, { url: publicUrl(url), status, scope, error, said });
}

/** The service registers no clients automatically, so the user has to do it, or use a key. */
export function clientIdNeeded(
  evidence: Readonly<Record<string, string | number | undefined>> = {},
): Problem {
  const sentence = 'Signing in to this server needs a client ID.';
  const fix =
    'Register Patchbay as an app with the service, then enter the client ID it gives you (patchbay.oauth.clientId).';
  return problem('server.client_id_needed', sentence, fix, evidence);
}

/** The client in the user's config belongs to another service, which alone may be sent it. */
export function clientOfOtherService(before: string, now: string): ProblemError {
  const sentence = 'The server now uses another sign-in service than the one your client ID is for.';
  const fix =
    'Register Patchbay there and enter the new client ID (patchbay.oauth.clientId). If it is the same service under a new name, sign out first.';
  const evidence = { before: safeAddress(before), now: safeAddress(now) };
  return new ProblemError(problem('server.client_id_needed', sentence, fix, evidence));
}

/** A sign-in that failed. */
export function signInFailed(
  sentence: string,
  fix: string,
  evidence: Readonly<Record<string, string | number | undefined>> = {},
  cause?: unknown,
): ProblemError {
  return new ProblemError(problem('server.sign_in_failed', sentence, fix, evidence), { cause });
}

/** Appends the service's own words to the sentence, so that the cause is read first. */
export function withServerWords(sentence: string, words: string | undefined): string {
  return words === undefined || words === ''
    ? sentence
    : `${sentence} It said: ${words.replace(/(?<![.\s])[.\s]+$/, '')}.`;
}

/** Returns facts of a failed exchange that may be shown: the service's own words, or the kind of failure. */
export function failureFacts(error: unknown): Readonly<Record<string, string | number | undefined>> {
  if (error instanceof IssuerChangedError)
    return { before: safeAddress(error.before), now: safeAddress(error.now) };
  if (!(error instanceof ServiceRefusal)) return { error: failureName(error) };
  const { status, code, words } = error;
  return { 'service answered': `HTTP ${status}`, error: code, said: words };
}

/** Returns the kind of a failure. Its message may quote the response, and with it a token. */
export function failureName(error: unknown): string {
  const code = codeOf(error);
  if (code !== undefined) return code;
  return error instanceof Error ? error.name : typeof error;
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof ServiceRefusal) return error.code ?? `HTTP ${error.status}`;
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}

/** Makes untrusted text that should be an address safe to show. */
export function safeAddress(address: string): string {
  return URL.canParse(address) ? publicUrl(new URL(address)) : address.replace(/\p{C}/gu, ' ').slice(0, 100);
}

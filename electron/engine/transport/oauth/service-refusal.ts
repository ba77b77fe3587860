import { isRecord } from '../../../../shared/json.ts';
import { masked, maskText } from '../../base/mask/mask-text.ts';
import { publicUrl, readRetryAfter } from '../http-client/http-problem.ts';
import { type Members, textOf } from './read-response.ts';

/** A service's reason for a refusal: the error code and the text for people. */
export interface RefusalReason {
  readonly code?: string | undefined;
  readonly words?: string | undefined;
}

/**
 * An authorization server refused or sent an invalid response; its text is meant for people and may be shown.
 */
export class ServiceRefusal extends Error {
  readonly status: number;
  /** Error code, if the response has one. */
  readonly code: string | undefined;
  /** The service's own text: bounded, without control characters and secrets. */
  readonly words: string | undefined;
  /** Milliseconds to wait before the next try, as the service asks. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    code: string | undefined,
    words: string | undefined,
    retryAfter: number | undefined,
  ) {
    super(`The service refused: HTTP ${status}`);
    this.name = 'ServiceRefusal';
    this.status = status;
    this.code = code;
    this.words = words;
    this.retryAfter = retryAfter;
  }
}

/** Returns true if waiting may help: the service is busy, down or starting. */
export function isTransientRefusal({ status, code }: ServiceRefusal): boolean {
  if (code !== undefined && finalCodes.has(code)) return false;
  return (
    transientCodes.has(code ?? '') || [408, 425, 429].includes(status) || (status >= 500 && status !== 501)
  );
}

/** Decides after a failed refresh whether the sign-in is over, may be over, or the service is unavailable. */
export function judgeRefresh(error: unknown): 'over' | 'doubtful' | 'passing' {
  if (!(error instanceof ServiceRefusal)) return 'passing';
  if (isTransientRefusal(error)) return isAboutToken(error) ? 'doubtful' : 'passing';
  const { status, code } = error;
  const isPlain = code !== undefined ? code !== 'server_error' : status === 400 || status === 401;
  return isPlain ? 'over' : 'doubtful';
}

/** Tells services that fail over a token they do not know from those that are down. */
function isAboutToken({ status, code = '', words = '' }: ServiceRefusal): boolean {
  return status === 500 && refusedToken.test(`${code} ${words}`);
}

const refusedToken =
  /\btokens?\b.{0,40}\b(?:expired|invalid|revoked|not found|unknown|does not exist)\b|invalid.{0,20}\btoken\b/i;

const finalCodes: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);
const transientCodes: ReadonlySet<string> = new Set(['temporarily_unavailable', 'slow_down']);

/** Status, headers and address of a response. */
type Answered = Pick<Response, 'status' | 'headers' | 'url'>;

/** Reads a refusal; `secrets` are values that were sent and may be quoted. */
export function readServiceRefusal(
  response: Answered,
  text: string,
  members: Members | undefined,
  secrets: readonly string[],
): ServiceRefusal {
  const { status, headers } = response;
  const retryAfter = readRetryAfter(headers);
  const show = (found: string | undefined) => (found === undefined ? undefined : displayText(found, secrets));
  const moved = movedTo(response);
  // An answer that succeeded may be a token in an unknown form.
  const plain = status >= 200 && status < 300 ? titleOf(text) : pageText(text);
  if (members === undefined || moved !== undefined)
    return new ServiceRefusal(status, undefined, moved ?? show(plain), retryAfter);
  const inner = isRecord(members.error) ? members.error : undefined;
  const code = firstText(
    inner === undefined ? [members.error, members.error_code] : [inner.error, inner.code, inner.type],
  );
  const words = firstText([
    members.error_description,
    inner?.message,
    inner?.description,
    members.error_message,
    members.error_summary,
    members.message,
    members.description,
    members.detail,
    members.title,
  ]);
  const flaws = memberErrors(members.detail) ?? memberErrors(members.errors);
  // An object inside a sentence need not say anything.
  const sentence = code === undefined && !/^\s{0,100}[{["]/.test(text) ? plain : undefined;
  return new ServiceRefusal(status, show(code), show(flaws ?? words ?? sentence), retryAfter);
}

/** Lists errors of single members as validation frameworks report them: `client_id: field required`. */
function memberErrors(value: unknown): string | undefined {
  const flaws = Array.isArray(value)
    ? value.map((item) => (isRecord(item) ? memberError(item) : textOf(item)))
    : Object.entries(isRecord(value) ? value : {}).map(([name, said]) => named(name, firstOf(said)));
  const shown = flaws.filter((flaw) => flaw !== undefined).slice(0, maxMemberErrors);
  return shown.length === 0 ? undefined : shown.join('; ');
}

function memberError({ loc, path, field, param, property, ...said }: Members): string | undefined {
  const place = [loc, path, field, param, property].find((one) => one !== undefined);
  const name = textOf(Array.isArray(place) ? place.at(-1) : place);
  return named(name, firstText([said.msg, said.message, said.detail, said.description, said.error]));
}

function named(name: string | undefined, said: string | undefined): string | undefined {
  return said === undefined || name === undefined ? said : `${name}: ${said}`;
}

function firstOf(value: unknown): string | undefined {
  return textOf(Array.isArray(value) ? value[0] : value);
}

const maxMemberErrors = 3;

/** Names the new address of an endpoint that has moved; the redirect is not followed. */
function movedTo({ status, headers, url }: Answered): string | undefined {
  const location = headers.get('location');
  if (status < 300 || status >= 400 || location === null || !URL.canParse(location, url)) return undefined;
  return `this has moved to ${publicUrl(new URL(location, url))}`;
}

/** Makes untrusted text safe to show. */
export function displayText(text: string, secrets: readonly string[] = []): string {
  let shown = text.slice(0, 2000);
  for (const secret of secrets) if (secret.length > 3) shown = shown.replaceAll(secret, masked);
  return maskText(shown.replace(/\p{C}/gu, ' ')).slice(0, 300).trim();
}

function firstText(values: readonly unknown[]): string | undefined {
  return values.map(textOf).find((text) => text !== undefined);
}

/** Returns a plain text as it is, and the title of a page. */
function pageText(text: string): string | undefined {
  const start = text.slice(0, 5000);
  return /^\s{0,100}</.test(start) ? titleOf(start) : textOf(start);
}

function titleOf(text: string): string | undefined {
  return textOf(/<title>([^<]{1,200})/i.exec(text.slice(0, 5000))?.[1]);
}

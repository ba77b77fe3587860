import { isSecretName } from '../../base/mask/secret-name.ts';

/** A header that carries a key; the scheme precedes the key in the value and may be empty. */
export interface KeyHeader {
  readonly header: string;
  readonly scheme: string;
}

/** The key that a server refused or requires. */
export interface KeyRefusal extends KeyHeader {
  readonly wasSent: boolean;
}

/**
 * Decides from a refusal whether a key is missing or wrong; undefined if the server does not mention a key.
 */
export function keyRefusal(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  body: string,
  sent: Readonly<Record<string, string>>,
): KeyRefusal | undefined {
  const used = keyHeaderSent(sent);
  if (used !== undefined) return { ...used, wasSent: true };
  const text = body.slice(0, maxTextLength);
  if (status !== 401 && !mentionsMissingKey(text)) return undefined;
  return { ...keyHeaderRequired(headers.get('www-authenticate') ?? '', text), wasSent: false };
}

/** Decides from a JSON-RPC error whether a key is missing or wrong; undefined if its text is not about access. */
export function keyRefusalInError(
  message: string,
  sent: Readonly<Record<string, string>>,
): KeyRefusal | undefined {
  const isAboutAccess = deniesAccess.test(message.slice(0, maxTextLength));
  return isAboutAccess ? keyRefusal({ status: 401, headers: new Headers() }, message, sent) : undefined;
}

const deniesAccess =
  /\bunauthori[sz]ed\b|\bunauthenticated\b|\bauthentication (?:is )?(?:required|failed)\b|\b(?:missing|invalid|no) (?:an? )?(?:api|access)[ _-]?(?:key|token)\b|\b(?:api|access)[ _-]?(?:key|token) (?:is )?(?:required|missing|invalid)\b/i;
const maxTextLength = 10_000;

/** Finds the header that already carries a credential, by its name. */
function keyHeaderSent(headers: Readonly<Record<string, string>>): KeyHeader | undefined {
  const names = Object.keys(headers);
  const header =
    names.find((name) => name.toLowerCase() === 'authorization') ?? names.find((name) => isSecretName(name));
  if (header === undefined) return undefined;
  return { header, scheme: /^([A-Za-z][A-Za-z-]{0,20}) +\S/.exec(headers[header] ?? '')?.[1] ?? '' };
}

/** Returns the header named in the refusal, or the usual one. */
function keyHeaderRequired(challenge: string, body: string): KeyHeader {
  const said = `${challenge.slice(0, maxTextLength)}\n${body}`;
  const [, prefixed, before, after] = namedHeader.exec(said) ?? [];
  const header = prefixed ?? before ?? after;
  if (header !== undefined) return { header, scheme: '' };
  const [, scheme = 'Bearer'] =
    namedScheme.exec(body) ??
    challengeScheme.exec(challenge) ??
    basicScheme.exec(challenge) ??
    accountScheme.exec(challenge) ??
    [];
  return { header: 'Authorization', scheme };
}

/** Matches `X-API-Key`, `the api-key header` and `header "Api-Key"`. */
const namedHeader =
  /\b(X-[A-Z0-9-]*(?:KEY|TOKEN|AUTH|SECRET)[A-Z0-9-]*)|\b((?:[A-Z0-9]+-){1,4}(?:KEY|TOKEN))["'`]? header\b|\bheader:? ["'`]?((?:[A-Z0-9]+-){1,4}(?:KEY|TOKEN))\b/i;
const namedScheme = /\bauthorization(?: header)?["'`]?: ?["'`]?(Bearer|Token|Bot|Api-?Key)\b/i;
const challengeScheme = /(?:^|,)\s{0,10}(Bearer|Token|Bot|Api-?Key)\b(?!\s{0,10}=)/i;
const basicScheme = /(?:^|,)\s{0,10}(Basic)\b(?!\s{0,10}=)/i;
const accountScheme = /^\s{0,10}(Digest|Negotiate|NTLM)\b/i;

function mentionsMissingKey(text: string): boolean {
  return (
    /\b(?:api|access|auth)[ _-]?(?:key|token)\b|\bauthorization\b|\btoken\b|\bcredentials?\b/i.test(text) &&
    /\b(?:missing|required?s?|needs?|must|provide|without|no|absent|not (?:provided|found|set|given))\b/i.test(
      text,
    )
  );
}

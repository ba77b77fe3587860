import { isSecretMember } from './secret-member.ts';
import { isSecretName } from './secret-name.ts';
import { hasSecretShape } from './secret-shape.ts';
import { decoded, urlsIn } from './urls.ts';

/**
 * Returns every form of a secret that must not be shown: the whole, its parts, and secrets embedded in it.
 */
export function secretParts(secret: string): readonly string[] {
  return [...partsOf(secret), ...embeddedSecrets(secret)];
}

/**
 * Returns the parts of a secret that was masked in text or JSON, where its end is uncertain and brackets may
 * hold several.
 */
export function maskedParts(secret: string): readonly string[] {
  if (!/^[{[]/.test(secret))
    return [...secretParts(secret), ...secretParts(secret.replace(/(?<![)\]}.,:;!?])[)\]}.,:;!?]+$/, ''))];
  const words = secret
    .split(/[\s"'`\\,:{}[\]]+/)
    .filter((word) => word.length >= minWordLength && !isSecretMember(word));
  return [secret, ...words.slice(0, maxParts)];
}

const minWordLength = 4;

/** Finds embedded secrets by form: user info and keys in URLs, `name=value` with a secret name. */
export function embeddedSecrets(text: string): readonly string[] {
  return [...addressSecrets(text), ...assignedSecrets(text)];
}

/** Returns a secret as a whole, line by line, and without its prefix: `Bearer abc` holds the secret `abc`. */
function partsOf(secret: string): readonly string[] {
  const lines = secret.split(/\r\n|\r|\n|\\n/).map((line) => line.trim());
  const words = secret.split(/[\s"'`;,&]+/).flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]);
  const [, scheme = '', token] = schemed.exec(secret.trim()) ?? [];
  return [
    secret.trim(),
    ...lines.slice(0, maxParts),
    ...words.filter((word) => word.length >= minLongWord).slice(0, maxParts),
    ...(token === undefined ? [] : [token]),
    ...(scheme.toLowerCase() === 'basic' ? loginParts(token ?? '') : []),
    ...passwordOf(secret),
  ];
}

const schemed = /^(bearer|basic|bot|token|api-?key|key|jwt|oauth|ssws|splunk)\s+(\S+)$/i;
/** Min length of a word within a longer secret; shorter ones are probably plain words. */
const minLongWord = 12;
/** Limits the parts, since each costs a search in every text that is redacted. */
const maxParts = 200;

function loginParts(base64: string): readonly string[] {
  const login = Buffer.from(base64, 'base64').toString('utf8');
  return [login, login.slice(login.indexOf(':') + 1)];
}

/** Extracts the password of an address without a scheme: `user:password@tcp(host)/name`. */
function passwordOf(secret: string): readonly string[] {
  const password = /^[^:@\s/]*:(?!\/\/)(.+)@[^@]*$/s.exec(secret.trim())?.[1];
  return password === undefined ? [] : [password];
}

/** Finds user info, and path segments that are keys themselves (webhooks). */
function addressSecrets(text: string): readonly string[] {
  return [...urlsIn(text)].flatMap(({ userInfo, path }) => {
    const parts = text.slice(path.start, path.end).split('/');
    const keys = parts.filter((part) => part.length >= 16 && hasSecretShape(part));
    return [
      ...(userInfo === undefined ? [] : userInfoSecrets(text.slice(userInfo.start, userInfo.end))),
      ...keys,
    ];
  });
}

function userInfoSecrets(userInfo: string): readonly string[] {
  if (userInfo === '') return [];
  const colon = userInfo.indexOf(':');
  const user = colon === -1 ? userInfo : userInfo.slice(0, colon);
  const password = colon === -1 ? '' : userInfo.slice(colon + 1);
  return [
    // Including the closing `@` makes even a short password distinguishable from other text.
    ...(password === '' ? [] : [`${userInfo}@`, password, decoded(password), base64(decoded(userInfo))]),
    ...(hasSecretShape(user) ? [user, decoded(user)] : []),
  ];
}

/** Encodes a login the way `Basic …` sends it. */
function base64(login: string): string {
  return Buffer.from(login).toString('base64');
}

/** Finds assigned secrets: `Server=db;Password=abc`, `host=db password=abc`, `?token=abc&x=1`. */
function assignedSecrets(text: string): readonly string[] {
  const found: string[] = [];
  let from = 0;
  for (let sign = text.indexOf('='); sign !== -1; sign = text.indexOf('=', from)) {
    from = sign + 1;
    if (!isSecretAssigned(nameBefore(text, sign))) continue;
    assignedValue.lastIndex = sign + 1;
    const value = assignedValue.exec(text)?.[1];
    if (value === undefined) continue;
    from = assignedValue.lastIndex;
    found.push(value, value.replace(/^(["'])(.*)\1$/s, '$2'), decoded(value));
  }
  return found;
}

/** Returns the word before the sign, or two words, as in `Account Key=`. */
function nameBefore(text: string, sign: number): string {
  const end = text[sign - 1] === ' ' ? sign - 1 : sign;
  const last = startOfWord(text, end);
  const first = text[last - 1] === ' ' && last < end ? startOfWord(text, last - 1) : last;
  return text.slice(first, end);
}

function startOfWord(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < maxNameLength && /[\w.-]/.test(text[start - 1] ?? '')) start -= 1;
  return start;
}

const maxNameLength = 41;
const assignedValue = /\s?("[^"]*"|'[^']*'|[^;&\s]+)/y;

function isSecretAssigned(name: string): boolean {
  return isSecretName(name) || name.toLowerCase() === 'pwd';
}

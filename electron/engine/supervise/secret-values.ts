import { isSecretName } from '../base/secret-name.ts';
import { hasSecretShape } from '../base/secret-shape.ts';
import type { LaunchTarget, ServerOrder } from './contract.ts';

/** Everything of an order that must never be shown, in all the forms in which a server may repeat it. */
export function secretsOf({
  target,
  secrets = [],
}: Pick<ServerOrder, 'target' | 'secrets'>): readonly string[] {
  const known = secrets.flatMap(partsOf);
  return target.ok ? [...known, ...targetSecrets(target.value)] : known;
}

function targetSecrets(target: LaunchTarget): readonly string[] {
  if (target.kind === 'stdio') return [...fieldSecrets(target.env), ...argumentSecrets(target.args)];
  const { headers, url, oauth } = target;
  const clientSecret = oauth?.clientSecret;
  return [
    ...fieldSecrets(headers),
    ...addressSecrets(url),
    ...assignedSecrets(url),
    ...(clientSecret === undefined ? [] : partsOf(clientSecret)),
  ];
}

function fieldSecrets(fields: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(fields).flatMap(([name, value]) => namedSecrets(name, value));
}

function namedSecrets(name: string, value: string): readonly string[] {
  const inside = [...addressSecrets(value), ...assignedSecrets(value)];
  if (isSecretName(name) && !isPath(value)) return [...partsOf(value), ...inside];
  return hasSecretShape(value) && !isPath(value) && !isAddress(value) ? [value, ...inside] : inside;
}

/** `--api-key abc`, `--token=abc`, `Authorization: Bearer abc`, and addresses. */
function argumentSecrets(args: readonly string[]): readonly string[] {
  return args.flatMap((word, index) => {
    const option = /^--?([A-Za-z][\w-]*)$/.exec(args[index - 1] ?? '')?.[1];
    const [, name, value = ''] = /^-{0,2}([A-Za-z][\w.-]*)[=:](?!\/\/)\s*(.*)$/s.exec(word) ?? [];
    return [
      ...(option !== undefined && isSecretName(option) && !word.startsWith('-') ? partsOf(word) : []),
      ...(name === undefined ? [] : namedSecrets(name, value)),
      ...addressSecrets(word),
      ...assignedSecrets(word),
    ];
  });
}

/** A secret whole, line by line, and without what stands around it: `Bearer abc` holds the secret `abc`. */
function partsOf(secret: string): readonly string[] {
  const lines = secret.split(/\r\n|\r|\n|\\n/).map((line) => line.trim());
  const words = secret.split(/[\s"'`;,&]+/).flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]);
  const [, scheme = '', token] = schemed.exec(secret.trim()) ?? [];
  return [
    secret.trim(),
    ...lines,
    ...words.filter((word) => word.length >= longWord),
    ...(token === undefined ? [] : [token]),
    ...(scheme.toLowerCase() === 'basic' ? loginParts(token ?? '') : []),
    ...passwordOf(secret),
  ];
}

const schemed = /^(bearer|basic|bot|token|api-?key|key|jwt|oauth|ssws|splunk)\s+(\S+)$/i;
/** Shorter words of a longer secret are likely to be plain ones. */
const longWord = 12;

function loginParts(base64: string): readonly string[] {
  const login = Buffer.from(base64, 'base64').toString('utf8');
  return [login, login.slice(login.indexOf(':') + 1)];
}

/** `user:password@tcp(host)/name`: an address without a scheme. */
function passwordOf(secret: string): readonly string[] {
  const password = /^[^:@\s/]*:(?!\/\/)(.+)@[^@]*$/s.exec(secret.trim())?.[1];
  return password === undefined ? [] : [password];
}

/** User infos, and path segments that are keys in themselves (webhooks). */
function addressSecrets(text: string): readonly string[] {
  return [...text.matchAll(address)].flatMap(([, authority = '', path = '']) => {
    const userInfo = authority.slice(0, Math.max(0, authority.lastIndexOf('@')));
    const keys = path.split('/').filter((part) => part.length >= 16 && hasSecretShape(part));
    return [...userInfoSecrets(userInfo), ...keys];
  });
}

/** Passwords may hold what should have been encoded: `@`, or `/` where no port can be meant. */
const address =
  /[a-z][a-z0-9+.-]*:\/\/((?:[^\s/?#]*@|[^\s@/?#]*:(?!\d+[/?#])[^\s@]*@)?[^\s/?#@]*)([^\s?#]*)/gi;

function userInfoSecrets(userInfo: string): readonly string[] {
  if (userInfo === '') return [];
  const colon = userInfo.indexOf(':');
  const user = colon === -1 ? userInfo : userInfo.slice(0, colon);
  const password = colon === -1 ? '' : userInfo.slice(colon + 1);
  return [
    // Together with the sign that ends it, even a short one can be told from other text.
    ...(password === '' ? [] : [`${userInfo}@`, password, decoded(password), base64(decoded(userInfo))]),
    ...(hasSecretShape(user) ? [user, decoded(user)] : []),
  ];
}

/** As it is sent: `Basic …`. */
function base64(login: string): string {
  return Buffer.from(login).toString('base64');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `Server=db;Password=abc`, `host=db password=abc`, `?token=abc&x=1`. */
function assignedSecrets(text: string): readonly string[] {
  return [...text.matchAll(assignment)].flatMap(([, name = '', value = '']) => {
    const isSecret = isSecretName(name) || name.toLowerCase() === 'pwd';
    return isSecret ? [value, value.replace(/^(["'])(.*)\1$/s, '$2'), decoded(value)] : [];
  });
}

const assignment = /([A-Za-z][\w.-]{0,40}(?: [A-Za-z]\w{0,20})?)\s?=\s?("[^"]*"|'[^']*'|[^;&\s]+)/g;

function isPath(value: string): boolean {
  const looksLikeOne = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][^\\/]+[\\/.]/.test(value);
  return looksLikeOne && !value.split(/[\\/]/).some(hasSecretShape);
}

function isAddress(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(value);
}

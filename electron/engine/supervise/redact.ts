/** Whether a variable, header or option of this name holds a secret, judged by the words in it. */
export function isSecretName(name: string): boolean {
  if (harmlessNames.has(name.toUpperCase())) return false;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/);
  return words.some((word) => secretWords.has(word));
}

/** Replaces every secret value of `entries` in a text; short values are left, they would blacken ordinary words. */
export function createRedactor(entries: Readonly<Record<string, string>>): (text: string) => string {
  const secrets = Object.entries(entries)
    .filter(([name, value]) => isSecretName(name) && value.length >= shortestSecret)
    .flatMap(([, value]) => [value, ...value.split(' ').filter((part) => part.length >= longToken)])
    .sort((a, b) => b.length - a.length);
  if (secrets.length === 0) return (text) => text;
  return (text) => secrets.reduce((result, secret) => result.replaceAll(secret, '•••'), text);
}

const shortestSecret = 6;
/** `Bearer abc…`: the token is secret on its own. */
const longToken = 12;

const secretWords: ReadonlySet<string> = new Set([
  'TOKEN',
  'TOKENS',
  'SECRET',
  'SECRETS',
  'PASSWORD',
  'PASSWD',
  'PASSPHRASE',
  'PWD',
  'PASS',
  'PAT',
  'KEY',
  'KEYS',
  'APIKEY',
  'AUTH',
  'AUTHORIZATION',
  'CREDENTIAL',
  'CREDENTIALS',
  'COOKIE',
]);

/** Where the words mislead: working folders, sockets of agents and files that programs need to work at all. */
const harmlessNames: ReadonlySet<string> = new Set([
  'PWD',
  'OLDPWD',
  'INIT_CWD',
  'SSH_AUTH_SOCK',
  'SSH_ASKPASS',
  'GIT_ASKPASS',
  'XAUTHORITY',
  'GNOME_KEYRING_CONTROL',
]);

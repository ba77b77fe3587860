/** Tells whether a variable, header or option holds a secret, judged by the words in its name. */
export function isSecretName(name: string): boolean {
  if (harmlessNames.has(name.toUpperCase())) return false;
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (descriptiveWords.has(last)) return false;
  if (last === 'TOKENS' && words.some((word) => amountWords.has(word))) return false;
  return words.some(isSecretWord) || connectionString.test(words.join('_'));
}

/** Splits a name into words, in capitals. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '');
}

/** Words are often run together, with the important one at the end: `PGPASSWORD`, `GITHUBTOKEN`. */
export function isSecretWord(word: string): boolean {
  return (
    secretWords.has(word) || /(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|APIKEY|CREDENTIAL)S?$/.test(word)
  );
}

const connectionString = /CONN(?:ECTION)?_?STR(?:ING)?/;

const secretWords: ReadonlySet<string> = new Set([
  'TOKENS',
  'PASSCODE',
  'PHRASE',
  'PWD',
  'PASS',
  'PAT',
  'PIN',
  'OTP',
  'KEY',
  'KEYS',
  'PRIVATEKEY',
  'ACCESSKEY',
  'SECRETKEY',
  'AUTH',
  'AUTHORIZATION',
  'BEARER',
  'JWT',
  'CREDS',
  'COOKIE',
  'COOKIES',
  'DSN',
  'MNEMONIC',
  'SALT',
  'SIGNATURE',
  'WEBHOOK',
]);

/** Last words of names that describe a secret (`TOKEN_URL`, `KEY_FILE`, `AUTH_TYPE`) rather than hold it. */
const descriptiveWords: ReadonlySet<string> = new Set([
  'PATH',
  'PATHS',
  'FILE',
  'FILENAME',
  'DIR',
  'DIRECTORY',
  'FOLDER',
  'SOCK',
  'NAME',
  'URL',
  'URI',
  'HOST',
  'PORT',
  'ENDPOINT',
  'ISSUER',
  'DOMAIN',
  'TYPE',
  'METHOD',
  'MODE',
  'SCHEME',
  'ALGORITHM',
  'PROVIDER',
  'BACKEND',
  'ENABLED',
  'DISABLED',
  'REQUIRED',
  'TIMEOUT',
  'TTL',
  'EXPIRY',
  'INTERVAL',
  'COUNT',
  'LENGTH',
  'SIZE',
  'LIMIT',
  'VERSION',
]);

/** `MAX_TOKENS` counts model tokens. */
const amountWords: ReadonlySet<string> = new Set(['MAX', 'MIN', 'NUM', 'TOTAL', 'LIMIT', 'OUTPUT', 'INPUT']);

/** Exceptions to the rules: working folders, agent sockets and files that programs need in order to work. */
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

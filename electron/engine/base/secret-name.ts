/** Whether a variable, header or option of this name holds a secret, judged by the words in it. */
export function isSecretName(name: string): boolean {
  if (harmlessNames.has(name.toUpperCase())) return false;
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (aboutSecrets.has(last)) return false;
  if (last === 'TOKENS' && words.some((word) => amounts.has(word))) return false;
  return words.some(isSecretWord) || connectionString.test(words.join('_'));
}

/** In capitals. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter((word) => word !== '');
}

/** `PGPASSWORD`, `GITHUBTOKEN`: names are often run together, with what matters at the end. */
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

/** A name that ends so tells something about a secret (`TOKEN_URL`, `KEY_FILE`, `AUTH_TYPE`), not the secret itself. */
const aboutSecrets: ReadonlySet<string> = new Set([
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

/** `MAX_TOKENS` counts what a model reads. */
const amounts: ReadonlySet<string> = new Set(['MAX', 'MIN', 'NUM', 'TOTAL', 'LIMIT', 'OUTPUT', 'INPUT']);

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

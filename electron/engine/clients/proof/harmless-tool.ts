type Tool = Readonly<Record<string, unknown>>;

/**
 * Returns a tool that is annotated as read-only, needs no arguments, and whose name and description do not
 * suggest private data; prefers a tool that takes no arguments at all. Undefined if there is none.
 */
export function harmlessTool(tools: readonly Tool[]): string | undefined {
  const fit = tools.filter(isHarmless);
  const { name } = fit.find(hasNoParameters) ?? fit[0] ?? {};
  return typeof name === 'string' ? name : undefined;
}

function isHarmless({ name, title, description, annotations, inputSchema }: Tool): boolean {
  const { readOnlyHint } = asObject(annotations);
  const { required } = asObject(inputSchema);
  const needsNothing = !Array.isArray(required) || required.length === 0;
  return readOnlyHint === true && needsNothing && ![name, title, description].some(isPrivate);
}

function hasNoParameters({ inputSchema }: Tool): boolean {
  return Object.keys(asObject(asObject(inputSchema).properties)).length === 0;
}

function isPrivate(text: unknown): boolean {
  return typeof text === 'string' && wordsOf(text).some((word) => privateWord.test(word));
}

/** Splits `getEnv`, `get-env`, `GET_ENV` and `ENVVars` into words. */
function wordsOf(text: string): readonly string[] {
  return text
    .replace(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4')
    .toLowerCase()
    .split(/[^a-z]+/);
}

/** Rather too broad than too narrow: without a harmless tool, listing the tools is enough of a test. */
const privateWord = new RegExp(
  `^(?:${[
    'env(?:s|vars?|iron(?:ment)?s?)?',
    '(?:dot|os)env',
    'var(?:iable)?s?',
    'conf(?:ig|igs|iguration|igurations)?',
    'settings?',
    'secrets?',
    'tokens?',
    'keys?',
    'api(?:keys?|tokens?)',
    'keychains?',
    'creds?',
    'credentials?',
    'pass(?:word|words|phrase|phrases|wd)?',
    'vaults?',
    'auth',
    'cookies?',
    'sessions?',
    'certs?',
    'certificates?',
    'private',
    'personal',
    'files?',
    'folders?',
    'director(?:y|ies)',
    'paths?',
    'dumps?',
    'clipboards?',
    'screenshots?',
    'histor(?:y|ies)',
    'e?mails?',
    'messages?',
    'contacts?',
    'account',
    'accounts',
    'users?',
    'whoami',
    'me',
  ].join('|')})$`,
);

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

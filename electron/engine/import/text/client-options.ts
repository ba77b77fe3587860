/** The meaning of an option. */
export type OptionKind =
  | 'env'
  | 'header'
  | 'type'
  | 'url'
  | 'command'
  | 'arg'
  | 'name'
  | 'cwd'
  | 'timeout'
  | 'bearer'
  | 'token'
  | 'allow'
  | 'deny'
  | 'clientId'
  | 'port'
  | 'off'
  | 'none';

/** Options of these commands that take a value, for all clients. */
export const options: Readonly<Record<string, OptionKind>> = {
  '-e': 'env',
  '--env': 'env',
  '--environment': 'env',
  '-H': 'header',
  '--header': 'header',
  '--headers': 'header',
  '-t': 'type',
  '--transport': 'type',
  '--type': 'type',
  '--url': 'url',
  '--http-url': 'url',
  '--command': 'command',
  '--cmd': 'command',
  '--args': 'arg',
  '--arg': 'arg',
  '-n': 'name',
  '--name': 'name',
  '--cwd': 'cwd',
  '--working-directory': 'cwd',
  '--timeout': 'timeout',
  '--bearer-token-env-var': 'bearer',
  '--api-key-env': 'bearer',
  '--bearer-token': 'token',
  '--api-key': 'token',
  '--include-tools': 'allow',
  '--tools': 'allow',
  '--allowed-tools': 'allow',
  '--exclude-tools': 'deny',
  '-s': 'none',
  '--scope': 'none',
  '--client-id': 'clientId',
  '--callback-port': 'port',
  '--description': 'none',
  '--agent': 'none',
  '--scopes': 'none',
  '--auth': 'none',
  '--connect-timeout': 'none',
  '--startup-timeout': 'none',
  '--client': 'none',
};

export function isOption(word: string): boolean {
  const flag = word.replace(/=[\s\S]*$/, '');
  return valuelessOptions.test(flag) || Object.hasOwn(options, flag);
}

/** Options of these commands without a value. */
const valuelessOptions =
  /^--(?:force|trust|active|disabled|enabled|global|replace|yes|no-[\w-]+|verbose|debug)$/;

/** Returns whether an unknown option probably takes the next word as its value. */
export function mayTakeValue(option: string, next: string | undefined): boolean {
  return (
    /^--[a-z][a-z-]*$/.test(option) &&
    !valuelessOptions.test(option) &&
    next !== undefined &&
    !/^-/.test(next)
  );
}

/** Moves the client's options after the server's command to the front, if no `--` separates the two. */
export function withOptionsFirst(words: readonly string[]): readonly string[] {
  if (words.includes('--')) return words;
  const own = [...words];
  const options: string[] = [];
  for (;;) {
    const [before = '', last = ''] = own.slice(-2);
    const count = /^--(?:trust|force)$/.test(last)
      ? 1
      : (/^(?:-s|--scope)$/.test(before) && /^(?:user|project|local|global|workspace)$/.test(last)) ||
          (/^(?:-e|--env)$/.test(before) && /^[A-Z_][A-Z0-9_]*=/.test(last)) ||
          (/^(?:-t|--transport)$/.test(before) && /^(?:stdio|sse|http|streamable-?http)$/.test(last)) ||
          /^--(?:include-tools|exclude-tools|description)$/.test(before)
        ? 2
        : 0;
    if (count === 0 || own.length <= count) return [...options, ...own];
    options.unshift(...own.splice(-count));
  }
}

import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { ServerEntry } from '../../../shared/schema/server-entry.ts';
import type { ServerTarget } from './contract.ts';
import { readEnvFile } from './env-file.ts';
import { expandText, type Scope, scopeOf } from './expand.ts';
import type { Issue } from './issue.ts';
import type { Path } from './tree.ts';

/** What an entry is expanded against. */
export interface ExpandContext {
  readonly scope: Scope;
  readonly platform: NodeJS.Platform;
  /** Folder of the config file: relative `cwd` and `envFile` start there. */
  readonly folder: string;
  readonly home: string;
}

export interface ExpandedEntry {
  /** Present when no issue is an error. */
  readonly target?: ServerTarget;
  readonly issues: readonly Issue[];
}

export function expandContext(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): ExpandContext {
  const home = platform === 'win32' ? env.USERPROFILE : env.HOME;
  return {
    scope: scopeOf(env, platform),
    platform,
    folder: dirname(resolve(file)),
    home: home === undefined || home === '' ? homedir() : home,
  };
}

/** Replaces variables and `~` in every text of an entry and reads its `envFile`; `place` gives a path's offset. */
export async function expandEntry(
  entry: ServerEntry,
  place: (path: Path) => number,
  context: ExpandContext,
): Promise<ExpandedEntry> {
  const expander = createExpander(place, context);
  const target =
    entry.url === undefined
      ? await stdioTarget(entry, expander, context)
      : remoteTarget(entry.url, entry, expander);
  const { issues } = expander;
  return issues.some(({ severity }) => severity === 'error') ? { issues } : { target, issues };
}

interface Expander {
  readonly issues: Issue[];
  text(value: string, path: Path): string;
  /** Also replaces a leading `~`, as a shell would. */
  pathText(value: string, path: Path): string;
  record(values: Readonly<Record<string, string>> | undefined, path: Path): Record<string, string>;
  fail(path: Path, message: string): void;
}

function createExpander(place: (path: Path) => number, context: ExpandContext): Expander {
  const issues: Issue[] = [];
  const issue = (severity: Issue['severity'], code: Issue['code'], path: Path, message: string) => {
    issues.push({ severity, code, path, message, offset: place(path) });
  };
  const text = (value: string, path: Path) => {
    const expansion = expandText(value, context.scope);
    for (const variable of expansion.missing) issues.push(missingIssue(variable, path, place(path)));
    for (const name of expansion.kept) {
      const message = `$${name} is not set and stays as written; write \${${name}} to require it`;
      issue('warning', 'missing_env_var', path, message);
    }
    return expansion.value;
  };
  const tilde = context.platform === 'win32' ? /^~(?=$|[\\/])/ : /^~(?=$|\/)/;
  return {
    issues,
    text,
    pathText: (value, path) =>
      tilde.test(value) ? context.home + text(value.slice(1), path) : text(value, path),
    record: (values = {}, path) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, text(value, [...path, name])])),
    fail: (path, message) => issue('error', 'invalid_schema', path, message),
  };
}

function missingIssue(variable: string, path: Path, offset: number): Issue {
  const foreign = /[^A-Za-z0-9_()]/.test(variable);
  const message = foreign
    ? `\${${variable}} stands for a value that only another program can fill in; write the value or \${NAME}`
    : `Missing environment variable: ${variable}`;
  return { severity: 'error', code: 'missing_env_var', path, message, offset, variable };
}

async function stdioTarget(
  entry: ServerEntry,
  expander: Expander,
  context: ExpandContext,
): Promise<ServerTarget> {
  const command = expander.pathText(entry.command ?? '', ['command']);
  if (command.trim() === '') expander.fail(['command'], 'command is empty');
  const args = (entry.args ?? []).map((arg, index) =>
    // `~` alone and `~name` can mean other things to a program; `~/` cannot.
    arg.length > 1 ? expander.pathText(arg, ['args', index]) : arg,
  );
  const fromFile = entry.envFile === undefined ? {} : await envFileValues(entry.envFile, expander, context);
  const env = { ...fromFile, ...expander.record(entry.env, ['env']) };
  if (entry.cwd === undefined) return { kind: 'stdio', command, args, env };
  return {
    kind: 'stdio',
    command,
    args,
    env,
    cwd: resolve(context.folder, expander.pathText(entry.cwd, ['cwd'])),
  };
}

async function envFileValues(
  written: string,
  expander: Expander,
  context: ExpandContext,
): Promise<Readonly<Record<string, string>>> {
  const before = expander.issues.length;
  const file = expander.pathText(written, ['envFile']);
  if (expander.issues.length > before) return {};
  const read = await readEnvFile(resolve(context.folder, file));
  if (read.ok) return read.values;
  expander.fail(['envFile'], `the file cannot be read (${read.error})`);
  return {};
}

function remoteTarget(written: string, entry: ServerEntry, expander: Expander): ServerTarget {
  const before = expander.issues.length;
  const url = expander.text(written, ['url']);
  const whole = expander.issues.length === before;
  if (whole && !isWebAddress(url)) expander.fail(['url'], 'url is not a valid http or https address');
  return {
    kind: entry.type === 'sse' ? 'sse' : 'http',
    explicit: entry.type !== undefined,
    url,
    headers: expander.record(entry.headers, ['headers']),
  };
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}

import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { isPlaceholder } from '../../../../shared/model/import/entry-variable.ts';
import type { ServerEntry } from '../../../../shared/schema/server-entry.ts';
import { isSecretName } from '../../base/mask/secret-name.ts';
import type { SecretSource, ServerTarget, SignInOptions, WrittenTarget } from '../contract.ts';
import type { Path } from '../jsonc/tree.ts';
import { type Issue, isError } from '../validate/issue.ts';
import { type EnvFile, readEnvFile } from './env-file.ts';
import { expandText, type Scope, scopeOf, secretPrefix, withReference } from './expand.ts';

/** The context in which an entry is expanded. */
export interface ExpandContext {
  readonly scope: Scope;
  readonly secrets?: SecretSource;
  readonly platform: NodeJS.Platform;
  /** Folder of the config file, the base of relative `cwd` and `envFile` paths. */
  readonly folder: string;
  readonly home: string;
  /** By default without the short timeout of `EnvFiles`. */
  readonly readEnvFile?: (file: string) => Promise<EnvFile>;
}

export interface ExpandedEntry {
  /** Present if no issue is an error. */
  readonly target?: ServerTarget;
  /** File whose variables are still to be added, see {@link withEnvFile}. */
  readonly envFile?: string;
  /** Values from the vault and of variables with secret-looking names; all of them. */
  readonly secrets?: readonly string[];
  readonly written?: WrittenTarget;
  readonly issues: readonly Issue[];
}

export function expandContext(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
  secrets?: SecretSource,
): ExpandContext {
  const home = platform === 'win32' ? env.USERPROFILE : env.HOME;
  return {
    scope: { ...scopeOf(env, platform), ...(secrets === undefined ? {} : { secret: secrets.get }) },
    ...(secrets === undefined ? {} : { secrets }),
    platform,
    folder: dirname(resolve(file)),
    home: home === undefined || home === '' ? homedir() : home,
  };
}

/** Replaces variables and `~` in every text of an entry; `place` returns a path's offset. Reads no files. */
export function expandEntry(
  entry: ServerEntry,
  place: (path: Path) => number,
  context: ExpandContext,
): ExpandedEntry {
  const expander = createExpander(place, context, isStoreCommand(entry));
  const target =
    entry.url === undefined
      ? stdioTarget(entry, expander, context)
      : remoteTarget(entry.url, entry, expander);
  const envFile = entry.envFile === undefined ? undefined : expander.pathText(entry.envFile, ['envFile']);
  const { issues, secrets } = expander;
  if (issues.some(isError)) return { issues };
  const written = writtenParts(entry, expander);
  return {
    target,
    issues,
    ...(secrets.size === 0 ? {} : { secrets: [...secrets] }),
    ...(written === undefined ? {} : { written }),
    ...(envFile === undefined ? {} : { envFile: resolve(context.folder, envFile) }),
  };
}

/** Returns the target with the variables of its `envFile`; its own `env` takes precedence. */
export async function withEnvFile(
  expanded: ExpandedEntry,
  place: (path: Path) => number,
  context: ExpandContext,
): Promise<ExpandedEntry> {
  const { target, envFile, issues } = expanded;
  if (envFile === undefined || target?.kind !== 'stdio') return expanded;
  const read = await (context.readEnvFile ?? readEnvFile)(envFile);
  if (read.ok) return { ...expanded, target: { ...target, env: { ...read.values, ...target.env } } };
  const path = ['envFile'];
  const offset = place(path);
  const issue: Issue = { severity: 'error', code: 'invalid_schema', path, message: read.reason, offset };
  return { issues: [...issues, issue] };
}

function writtenParts({ command, cwd }: ServerEntry, { fields }: Expander): WrittenTarget | undefined {
  const written = {
    ...(command !== undefined && fields.has('command') ? { command } : {}),
    ...(cwd !== undefined && fields.has('cwd') ? { cwd } : {}),
  };
  return Object.keys(written).length === 0 ? undefined : written;
}

interface Expander {
  readonly issues: Issue[];
  readonly secrets: Set<string>;
  /** Fields in which a variable was replaced. */
  readonly fields: Set<Path[number] | undefined>;
  text(value: string, path: Path): string;
  /** Also replaces a leading `~`, as a shell would. */
  pathText(value: string, path: Path): string;
  record(values: Readonly<Record<string, string>> | undefined, path: Path): Record<string, string>;
  fail(path: Path, message: string): void;
}

function createExpander(
  place: (path: Path) => number,
  context: ExpandContext,
  isResolved: boolean,
): Expander {
  const issues: Issue[] = [];
  const secrets = new Set<string>();
  const fields = new Set<Path[number] | undefined>();
  const issue = (severity: Issue['severity'], code: Issue['code'], path: Path, message: string) => {
    issues.push({ severity, code, path, message, offset: place(path) });
  };
  const text = (value: string, path: Path) => {
    const used = (name: string, found: string) => {
      fields.add(path[0]);
      if (name.startsWith(secretPrefix) || isSecretName(name)) secrets.add(found);
    };
    const written = isValue(path) ? withReference(value, context.scope) : value;
    const expansion = expandText(written, { ...context.scope, used });
    const isAsWritten = expansion.value === value && expansion.missing.length === 0;
    const severity = isAsWritten ? foreignSeverity(value, path, isResolved) : undefined;
    if (severity !== undefined) {
      const stored = context.secrets === undefined ? '' : ` or $\{${secretPrefix}NAME}`;
      const message = `only another program could resolve this; write the value, $\{NAME}${stored}`;
      issue(severity, 'invalid_schema', path, message);
    }
    for (const variable of expansion.missing)
      issues.push(missingIssue(variable, path, place(path), context.secrets));
    for (const name of severity === undefined ? expansion.unresolved : []) {
      const message = `$${name} is not set and stays as written; write \${${name}} to require it`;
      issue('warning', 'missing_env_var', path, message);
    }
    return expansion.value;
  };
  const tilde = context.platform === 'win32' ? /^~(?=$|[\\/])/ : /^~(?=$|\/)/;
  return {
    issues,
    secrets,
    fields,
    text,
    pathText: (value, path) =>
      tilde.test(value) ? context.home + text(value.slice(1), path) : text(value, path),
    record: (values = {}, path) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, text(value, [...path, name])])),
    fail: (path, message) => issue('error', 'invalid_schema', path, message),
  };
}

/**
 * Judges a value that stayed as written although it looks like a reference: undefined if it is none, an error if it
 * would be sent as a secret. `isResolved`: the command resolves references to a store of secrets.
 */
function foreignSeverity(value: string, path: Path, isResolved: boolean): Issue['severity'] | undefined {
  const bare = value.trim().replace(/^(?:bearer|basic|bot|token)\s+/i, '');
  if (!isValue(path) || isPlaceholder(bare)) return undefined;
  const name = String(path[1] ?? '');
  if (/^\$[a-z_]\w*$/i.test(bare)) return isSecretName(bare) ? 'error' : undefined;
  const isForeign = storeReference.test(bare) ? !isResolved : foreignReference.test(bare);
  if (!isForeign) return undefined;
  return isSecretName(name) || path[0] !== 'env' ? 'error' : 'warning';
}

const storeReference =
  /^(?:op|vault|bws?|keychain|keyring|doppler|infisical|aws-?sm|aws-secretsmanager|gcp-?sm|ssm|sops|azkv|akv):\/\/./i;
const foreignReference =
  /^(?:\$\([^()]+\)|`[^`]+`|\{(?:cmd|command|exec|shell|secret|vault|keychain|input|prompt):[^{}]+\}|\$\{[^{}\n]+\}|\{\{[^{}]+\}\}|%[A-Z_]\w*%)$/i;

function isStoreCommand({ command = '', args = [] }: ServerEntry): boolean {
  const tools =
    /(?:^|[\\/\s])(?:op|vals|vault|bws|teller|doppler|infisical|sops|fnox|secretspec|chamber)(?=\s|$)/;
  return [command, ...args].some((word) => tools.test(word));
}

/** Values of variables and headers, and an address, are sent as they are; arguments may be scripts. */
function isValue([field]: Path): boolean {
  return field === 'env' || field === 'headers' || field === 'url';
}

function missingIssue(variable: string, path: Path, offset: number, secrets?: SecretSource): Issue {
  if (secrets !== undefined && variable.startsWith(secretPrefix)) {
    return missingSecret(variable.slice(secretPrefix.length), path, offset, secrets);
  }
  const foreign = /[^A-Za-z0-9_()]/.test(variable);
  const message = foreign
    ? `\${${variable}} is a reference that only another program can resolve; write the value or \${NAME}`
    : `Missing environment variable: ${variable}`;
  return { severity: 'error', code: 'missing_env_var', path, message, offset, variable };
}

function missingSecret(name: string, path: Path, offset: number, secrets: SecretSource): Issue {
  const message = secrets.isClosed(name)
    ? `the secret "${name}" is stored, but was encrypted with another key; enter it again`
    : `there is no stored secret "${name}"`;
  return { severity: 'error', code: 'missing_secret', path, message, offset, variable: name };
}

function stdioTarget(entry: ServerEntry, expander: Expander, context: ExpandContext): ServerTarget {
  const command = expander.pathText(entry.command ?? '', ['command']);
  if (command.trim() === '') expander.fail(['command'], 'command is empty');
  const args = (entry.args ?? []).map((arg, index) =>
    // `~` alone can mean other things to a program; `~/` cannot.
    arg === '~' ? arg : expander.pathText(arg, ['args', index]),
  );
  const env = expander.record(entry.env, ['env']);
  const target = { kind: 'stdio', ...protocolOption(entry), command, args, env } as const;
  if (entry.cwd === undefined) return target;
  return { ...target, cwd: resolve(context.folder, expander.pathText(entry.cwd, ['cwd'])) };
}

function remoteTarget(written: string, entry: ServerEntry, expander: Expander): ServerTarget {
  const before = expander.issues.length;
  const url = expander.text(written, ['url']);
  const isComplete = expander.issues.length === before;
  if (isComplete && !isWebAddress(url)) expander.fail(['url'], 'url is not a valid http or https address');
  return {
    kind: entry.type === 'sse' ? 'sse' : 'http',
    ...protocolOption(entry),
    explicit: entry.type !== undefined,
    url,
    headers: expander.record(entry.headers, ['headers']),
    ...signInOptions(entry, expander),
  };
}

function protocolOption({ patchbay }: ServerEntry): Pick<ServerTarget, 'protocol'> {
  const protocol = patchbay?.protocol ?? 'auto';
  return protocol === 'auto' ? {} : { protocol };
}

function signInOptions(entry: ServerEntry, expander: Expander): { readonly oauth?: SignInOptions } {
  const oauth = entry.patchbay?.oauth;
  if (oauth === undefined) return {};
  const path = ['patchbay', 'oauth'];
  const { clientId, clientSecret, clientMetadataUrl, scopes, callbackPort, redirectUri, resource } = oauth;
  const texts = Object.entries({ clientId, clientSecret, clientMetadataUrl }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, expander.text(value, [...path, name])] as const],
  );
  return {
    oauth: {
      ...Object.fromEntries(texts),
      ...(scopes === undefined
        ? {}
        : { scopes: scopes.map((scope, index) => expander.text(scope, [...path, 'scopes', index])) }),
      ...(callbackPort === undefined ? {} : { callbackPort }),
      ...(redirectUri === undefined ? {} : { redirectUri }),
      ...(resource === undefined ? {} : { resource }),
    },
  };
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol);
}

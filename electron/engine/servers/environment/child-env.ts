import {
  ancestorsVariable,
  extendAncestors,
  processTagVariable,
} from '../../../../shared/model/server/loop.ts';
import { isSecretName } from '../../base/mask/secret-name.ts';
import { appendTag, type ProcessTag } from '../process/orphans/process-tag.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ChildEnvironmentOptions {
  /** Environment that the hub inherited or read from the login shell. */
  readonly inherited: Environment;
  /** Variables of the entry; they override the inherited ones. */
  readonly entry: Readonly<Record<string, string>>;
  /** Id of this hub or command, see `shared/model/server/loop.ts`. */
  readonly instanceId: string;
  /**
   * Tags the child and its descendants, so that they can be found again. Absent if this process cannot be
   * identified.
   */
  readonly tag?: ProcessTag;
  /** True on Windows, where variable names are case-insensitive. */
  readonly ignoreCase?: boolean;
}

/**
 * Builds the environment of a child. It inherits what programs need (paths, locale, proxies, tool settings),
 * but no variable that looks like a secret: a secret meant for a server is named in its entry.
 */
export function childEnvironment(options: ChildEnvironmentOptions): Record<string, string> {
  const { inherited, entry, ignoreCase = process.platform === 'win32' } = options;
  const merged: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && isInherited(name, value)) merged[name] = value;
  }
  for (const [name, value] of [...Object.entries(entry), ...ownTags(options)]) {
    if (ignoreCase) removeIgnoringCase(merged, name);
    merged[name] = value;
  }
  return merged;
}

/** Variables that identify who started the child. */
function ownTags({ inherited, instanceId, tag }: ChildEnvironmentOptions): [string, string][] {
  const ancestors = extendAncestors(inherited[ancestorsVariable], instanceId);
  return [
    [ancestorsVariable, ancestors],
    ...(tag === undefined
      ? []
      : [[processTagVariable, appendTag(inherited[processTagVariable], tag)] as [string, string]]),
  ];
}

/** Reads a variable by name, ignoring case on Windows (`Path`). */
export function readVariable(env: Environment, name: string): string | undefined {
  if (env[name] !== undefined || process.platform !== 'win32') return env[name];
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}

function isInherited(name: string, value: string): boolean {
  if (isSecretName(name) || ownVariables.has(name)) return false;
  if (ownPrefixes.some((prefix) => name.startsWith(prefix))) return false;
  // Exported shell functions are code, and must not be passed on.
  return !value.startsWith('()');
}

/** Describes this program and how it was started, which would mislead a child. */
const ownVariables: ReadonlySet<string> = new Set([
  'NODE_CHANNEL_FD',
  'NODE_UNIQUE_ID',
  'INIT_CWD',
  'APPDIR',
  'APPIMAGE',
  'ARGV0',
  'OWD',
  'CHROME_DESKTOP',
  'ORIGINAL_XDG_CURRENT_DESKTOP',
  'DESKTOP_STARTUP_ID',
  'XDG_ACTIVATION_TOKEN',
  'npm_command',
  'npm_execpath',
  'npm_node_execpath',
  'npm_config_local_prefix',
]);

const ownPrefixes: readonly string[] = [
  'ELECTRON_',
  'GIO_LAUNCHED_',
  'BASH_FUNC_',
  'npm_lifecycle_',
  'npm_package_',
];

function removeIgnoringCase(env: Record<string, string>, name: string): void {
  const upper = name.toUpperCase();
  for (const key of Object.keys(env)) {
    if (key.toUpperCase() === upper) delete env[key];
  }
}

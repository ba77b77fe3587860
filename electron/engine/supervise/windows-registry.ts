import { delimiter } from 'node:path';
import { expandVariables, isDamaged, queryRegistry } from '../store/windows-registry.ts';
import type { Environment } from './child-env.ts';
import { splitPath } from './command-dirs.ts';

/** Registry keys with the environment of new programs: the machine's, then the user's. */
const registryKeys = [
  'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment',
  'HKCU\\Environment',
];

/**
 * Returns the environment that a newly started program would get: PATH and others may have changed since this
 * program started.
 */
export async function readRegistry(inherited: Environment): Promise<Environment> {
  const [machine = {}, user = {}] = await Promise.all(
    registryKeys.map((key) => queryRegistry(key, inherited)),
  );
  return mergeRegistry(inherited, machine, user);
}

/**
 * Merges the inherited variables with those of machine and user, which win. PATH combines both, followed by
 * inherited folders.
 */
export function mergeRegistry(
  inherited: Environment,
  machine: Environment,
  user: Environment,
  separator: string = delimiter,
): Environment {
  const merged = new Map<string, readonly [name: string, value: string]>();
  const lookUp = (name: string) => merged.get(name.toUpperCase())?.[1];
  for (const source of [inherited, machine, user]) {
    for (const [name, value] of Object.entries(source)) {
      if (value === undefined || isDamaged(value) || isServiceVariable(name, source === machine)) continue;
      const known = merged.get(name.toUpperCase());
      merged.set(name.toUpperCase(), [known?.[0] ?? name, expandVariables(value, lookUp)]);
    }
  }
  const paths = [machine, user, inherited].map((source) => expandVariables(pathOf(source), lookUp));
  const folders = paths.flatMap((path) => splitPath(path, separator)).filter((dir) => !isDamaged(dir));
  const name = merged.get('PATH')?.[0] ?? 'Path';
  merged.set('PATH', [name, withoutRepeats(folders).join(separator)]);
  return Object.fromEntries(merged.values());
}

/** The machine's USERNAME is that of its services. */
const isServiceVariable = (name: string, ofMachine: boolean): boolean =>
  ofMachine && name.toUpperCase() === 'USERNAME';

function pathOf(env: Environment): string {
  return Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
}

/** Windows paths may differ in case, or by a trailing separator. */
function withoutRepeats(folders: readonly string[]): readonly string[] {
  const keys = folders.map((dir) => dir.toLowerCase().replace(/(?<![\\/])[\\/]+$/, ''));
  return folders.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}

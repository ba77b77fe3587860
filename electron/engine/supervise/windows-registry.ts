import { delimiter } from 'node:path';
import { expandVariables, isDamaged, queryRegistry } from '../store/windows-registry.ts';
import type { Environment } from './child-env.ts';
import { splitPath } from './command-dirs.ts';

/** Where Windows keeps the variables that programs are started with: those of the machine, then those of the user. */
const registryKeys = [
  'HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment',
  'HKCU\\Environment',
];

/** The environment as a program that is started now would get it: PATH and all else may have changed since we were. */
export async function readRegistry(inherited: Environment): Promise<Environment> {
  const [machine = {}, user = {}] = await Promise.all(
    registryKeys.map((key) => queryRegistry(key, inherited)),
  );
  return mergeRegistry(inherited, machine, user);
}

/**
 * What was inherited, under what the registry says of machine and user. PATH is both of theirs, and what only this
 * program was started with.
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
      if (value === undefined || isDamaged(value) || isOfSystem(name, source === machine)) continue;
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

/** The machine's own name of the user is that of its services. */
const isOfSystem = (name: string, ofMachine: boolean): boolean =>
  ofMachine && name.toUpperCase() === 'USERNAME';

function pathOf(env: Environment): string {
  return Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
}

/** On Windows the same folder may be written in another case, or with a separator at its end. */
function withoutRepeats(folders: readonly string[]): readonly string[] {
  const keys = folders.map((dir) => dir.toLowerCase().replace(/(?<![\\/])[\\/]+$/, ''));
  return folders.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}

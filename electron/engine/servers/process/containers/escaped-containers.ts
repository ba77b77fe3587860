import { randomUUID } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { basename, isAbsolute, resolve } from 'node:path';
import { createProcReader } from '../../../store/files/proc-file.ts';
import { isLocationVariable } from './container-command.ts';
import type { ContainerRecord } from './container-record.ts';
import { readContainerStart } from './container-script.ts';

/**
 * Finds the containers of orphans by their command lines, since the registry may be in another data folder.
 * Empty on systems that do not show the separate arguments of a command line.
 */
export function escapedContainers(pids: readonly number[]): readonly ContainerRecord[] {
  if (process.platform !== 'linux') return [];
  const read = createProcReader(maxProcSize);
  return withoutDuplicates(pids.flatMap((pid) => containerOf(pid, read) ?? []));
}

/** Removes duplicates: several processes may have the same command line, such as a shell and the tool. */
export function withoutDuplicates(records: readonly ContainerRecord[]): readonly ContainerRecord[] {
  return [...new Map(records.map((record) => [record.cidfile ?? record.name, record])).values()];
}

function containerOf(pid: number, read: (path: string) => string | undefined): ContainerRecord | undefined {
  const args = splitNul(read(`/proc/${pid}/cmdline`));
  const cwd = cwdOf(pid);
  const found = parseStart(args) ?? parseStart(withoutInterpreter(args));
  if (found === undefined || cwd === undefined) return undefined;
  const { file, general, remover, name, cidfile, removesItself } = found;
  const locationVariables = locationVariablesIn(splitNul(read(`/proc/${pid}/environ`)));
  const base = { id: randomUUID(), file: remover ?? file, args: general, cwd, env: locationVariables };
  const volumes = removesItself ? { withVolumes: true } : {};
  if (cidfile !== undefined) {
    const ownsFile = ourFilePattern.test(basename(cidfile)) ? { ownsFile: true } : {};
    return { ...base, ...volumes, ...ownsFile, key: name ?? cidfile, cidfile: resolve(cwd, cidfile) };
  }
  // A container with any other name may belong to another program.
  return name !== undefined && ourNamePattern.test(name)
    ? { ...base, ...volumes, key: name, name }
    : undefined;
}

function parseStart(words: readonly string[]) {
  const [file, ...args] = words;
  const found = file === undefined ? undefined : readContainerStart(file, args);
  return file === undefined || found === undefined ? undefined : { ...found, file };
}

/** The system puts the interpreter in front of a script. */
function withoutInterpreter(args: readonly string[]): readonly string[] {
  return isAbsolute(args[1] ?? '') ? args.slice(1) : [];
}

function splitNul(text: string | undefined): readonly string[] {
  return (text ?? '').replace(/\0$/, '').split('\0');
}

/** Keeps the variables that say where the tool, and its containers, are found. */
function locationVariablesIn(environ: readonly string[]): Readonly<Record<string, string>> {
  const pairs = environ.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]);
  return Object.fromEntries(pairs.filter(([name = '']) => isLocationVariable(name)));
}

function cwdOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

const maxProcSize = 256 * 1024;
const ourNamePattern = /^patchbay-[a-z0-9_.-]{1,30}-[0-9a-f]{8}$/;
const ourFilePattern = /^patchbay-[0-9a-f-]{36}\.cid$/;

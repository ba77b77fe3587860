import { randomBytes, randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { processTagVariable } from '../../../../../shared/model/server/loop.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Logger } from '../../../base/logger.ts';
import type { Environment } from '../../environment/child-env.ts';
import type { PidRegistry } from '../orphans/pid-registry.ts';
import type { Program } from '../program.ts';
import { isLocationVariable } from './container-command.ts';
import { type ContainerRecord, removeContainer } from './container-record.ts';
import { readContainerStart } from './container-script.ts';

export interface ContainersOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly registry: PidRegistry;
  /** Containers of earlier hubs, to be removed. */
  readonly orphans: Promise<readonly ContainerRecord[]>;
  /** Registry file; container id files are put beside it, or in the system's temporary folder if absent. */
  readonly registryFile?: string;
  /** Environment of this program's children, without the variables of an entry. */
  readonly env: () => Promise<Environment>;
}

/** Container of one server process. */
export interface ServerContainer {
  /** Program to start: the original, plus a name or a file by which the container can be found. */
  readonly program: Program;
  /** Removes the container, if there is one; never rejects. May be called repeatedly. */
  remove(): Promise<void>;
}

/**
 * Ends the containers that servers start with `docker run` and the like: signals to the tool do not reach all
 * of them.
 */
export interface Containers {
  /** Resolves with undefined if the program starts no container, or none that can be identified. */
  prepare(start: ContainerStart): Promise<ServerContainer | undefined>;
}

export interface ContainerStart {
  readonly key: string;
  /** Command as written in the entry, like its variables. */
  readonly command: string;
  readonly entryEnv: Readonly<Record<string, string>>;
  readonly program: Program;
}

export function createContainers(options: ContainersOptions): Containers {
  // A leftover container may hold the name that the next one needs.
  const orphansRemoved = removeOrphans(options);
  return {
    async prepare(start) {
      const { key, program } = start;
      const prepared = await prepareContainer(start, options);
      if (prepared === undefined) return undefined;
      const { record, args } = prepared;
      await orphansRemoved;
      await options.registry.addContainer(record);
      // Leaves out the process tag, since everything that carries it is ended with the server.
      const { [processTagVariable]: _, ...env } = program.env;
      return {
        program: { ...program, args },
        async remove() {
          if (await removeContainer(record, { clock: options.clock, env })) {
            await options.registry.removeContainer(record.id);
          } else {
            options.logger.log('warn', 'A container could not be removed', { key, container: record.name });
          }
        },
      };
    },
  };
}

async function prepareContainer(
  { key, command, entryEnv, program: { file, args, env, cwd } }: ContainerStart,
  { registryFile }: ContainersOptions,
): Promise<{ readonly record: ContainerRecord; readonly args: readonly string[] } | undefined> {
  const found = readContainerStart(command, args);
  if (found === undefined) return undefined;
  const { general, withOptions, isCompose, isElsewhere, remover, name, cidfile, removesItself } = found;
  // Names that are not ours may be another program's, and id files of other systems cannot be read.
  if (isElsewhere && (name ?? cidfile) !== undefined) return undefined;
  const id = randomUUID();
  const base = {
    id,
    key,
    file: remover === undefined ? file : await besideOr(file, remover),
    args: general,
    cwd,
    env: locationVariables(entryEnv, env),
    ...(removesItself ? { withVolumes: true } : {}),
  };
  if (cidfile !== undefined) {
    const existingFile = resolve(cwd, cidfile);
    // The tool refuses an existing file, so its id belongs to another container.
    const isOld = (await stat(existingFile).catch(() => undefined)) !== undefined;
    return isOld ? undefined : { record: { ...base, cidfile: existingFile }, args };
  }
  if (name === undefined) {
    const ourName = `patchbay-${containerName(key)}-${randomBytes(4).toString('hex')}`;
    return { record: { ...base, name: ourName }, args: withOptions(['--name', ourName]) };
  }
  // A container of that name may belong to another program; only its id is certain.
  if (isCompose) return undefined;
  const folder = registryFile === undefined ? tmpdir() : dirname(registryFile);
  const ourName = join(folder, `patchbay-${id}.cid`);
  return { record: { ...base, cidfile: ourName, ownsFile: true }, args: withOptions(['--cidfile', ourName]) };
}

/** Returns a program in the folder of another, or else its name, to be found in PATH. */
async function besideOr(file: string, name: string): Promise<string> {
  const beside = join(dirname(file), name + extname(file));
  return (await stat(beside).catch(() => undefined)) === undefined ? name : beside;
}

/** Returns the variables of the entry that say where the tool finds its containers. */
function locationVariables(entry: Readonly<Record<string, string>>, env: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.keys(entry)
      .filter(isLocationVariable)
      .map((name) => [name, env[name] ?? '']),
  );
}

/** Turns a server key into a valid container name. */
function containerName(key: string): string {
  const name = key
    .toLowerCase()
    .replace(/[^a-z0-9_.-]/g, '-')
    .slice(0, 30);
  return name === '' ? 'server' : name;
}

/**
 * Removes containers left by earlier hubs. Gives up after a few starts, since a tool may fail for a container
 * that is gone.
 */
async function removeOrphans({ clock, logger, registry, orphans, env }: ContainersOptions): Promise<void> {
  const records = await orphans;
  if (records.length === 0) return;
  const inherited = definedOnly(await env());
  await Promise.all(
    records.map(async (record) => {
      logger.log('warn', 'Removing a container that an earlier run left behind', { key: record.key });
      const failures = (record.failures ?? 0) + 1;
      const isRemoved = await removeContainer(record, { clock, env: inherited });
      if (isRemoved || failures >= maxFailures) await registry.removeContainer(record.id);
      else await registry.addContainer({ ...record, failures });
    }),
  );
}

const maxFailures = 3;

function definedOnly(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

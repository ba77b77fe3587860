import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Logger } from '../../../base/logger.ts';
import { readTextIfExists, writePrivateFile } from '../../../store/files/atomic-file.ts';
import { makePrivateFolder, userTempFolder } from '../../../store/files/private-folder.ts';
import { processIdentity, processStatus } from '../../../store/files/process-identity.ts';
import { coalesced, type PidRegistry } from '../orphans/pid-registry.ts';
import { namespaceOf } from '../orphans/tagged-processes.ts';
import { type ContainerRecord, readContainerRecord } from './container-record.ts';

/**
 * Pid registry for a program without a data folder. It records only containers, in a file of its own that is
 * deleted with the last of them. Children end with their stdin, or are found by their process tag.
 */
export function createContainerRegistry(logger: Logger): PidRegistry {
  const containers = new Map<string, ContainerRecord>();
  const file = join(userTempFolder(), `containers-${process.pid}-${randomBytes(4).toString('hex')}.json`);
  const save = coalesced(async () => {
    try {
      if (containers.size === 0) return await rm(file, { force: true });
      if (!(await makePrivateFolder(userTempFolder()))) throw new Error('the folder belongs to another user');
      const owner = {
        pid: process.pid,
        identity: await processIdentity(process.pid),
        namespace: namespaceOf('self'),
      };
      await writePrivateFile(
        file,
        `${JSON.stringify({ version: 1, owner, containers: [...containers.values()] })}\n`,
      );
    } catch (error) {
      logger.log('warn', 'A container could not be recorded', { file, error: String(error) });
    }
  });
  return {
    add: () => Promise.resolve(),
    addFamily: () => Promise.resolve(),
    remove: () => Promise.resolve(),
    addContainer(record) {
      containers.set(record.id, record);
      return save();
    },
    removeContainer(id) {
      return containers.delete(id) ? save() : Promise.resolve();
    },
  };
}

/** Containers of killed programs that had no data folder. */
export interface OrphanContainers {
  readonly containers: readonly ContainerRecord[];
  /** Deletes the files, once someone else has recorded their containers. */
  deleteFiles(): Promise<void>;
}

/**
 * Reads the files of killed programs; those of running programs are left alone. The caller must record the
 * containers before it forgets them.
 */
export async function readOrphanContainers(): Promise<OrphanContainers> {
  const folder = userTempFolder();
  const none: OrphanContainers = { containers: [], deleteFiles: async () => {} };
  const names = (await readdir(folder).catch(() => [])).filter((name) =>
    /^containers-\d+-[0-9a-f]{8}\.json$/.test(name),
  );
  if (names.length === 0 || !(await makePrivateFolder(folder))) return none;
  const read = await Promise.all(names.map((name) => readOrphanFile(join(folder, name))));
  const orphans = read.flatMap((one) => one ?? []);
  return {
    containers: orphans.flatMap(({ containers }) => containers),
    async deleteFiles() {
      await Promise.all(orphans.map(({ file }) => rm(file, { force: true })));
    },
  };
}

const fileSchema = z.object({
  owner: z.object({ pid: z.number().int().min(1), identity: z.string(), namespace: z.string() }),
  containers: z.array(z.unknown()),
});

/** Returns undefined if the program still runs, or if the file cannot be read. */
async function readOrphanFile(file: string) {
  try {
    const { owner, containers } = fileSchema.parse(JSON.parse((await readTextIfExists(file)) ?? ''));
    // Pids mean nothing in another pid namespace.
    if (owner.namespace !== namespaceOf('self') || (await processStatus(owner)) !== 'gone') return undefined;
    return { file, containers: containers.flatMap((value) => readContainerRecord(value) ?? []) };
  } catch {
    return undefined;
  }
}

import type { Logger } from '../../../base/logger.ts';
import { readTextIfExists, writePrivateFile } from '../../../store/files/atomic-file.ts';
import { type ContainerRecord, readContainerRecord } from '../containers/container-record.ts';
import type { KnownProcess } from '../tree/contract.ts';

/** A running child, as recorded on disk. */
export interface ChildRecord extends KnownProcess {
  readonly key: string;
  /** See {@link ProcessTree.family}. */
  readonly family?: readonly KnownProcess[];
}

/** Records which children run, so that the next hub can end those of a killed one. */
export interface PidRegistry {
  /** Resolves when the record is on disk. */
  add(record: ChildRecord): Promise<void>;
  /** Adds descendants to the record of a child, if it is still there. */
  addFamily(pid: number, family: readonly KnownProcess[]): Promise<void>;
  remove(pid: number): Promise<void>;
  addContainer(record: ContainerRecord): Promise<void>;
  removeContainer(id: string): Promise<void>;
}

/** Contents of the registry file. */
export interface RegistryRecords {
  readonly children: readonly ChildRecord[];
  readonly containers: readonly ContainerRecord[];
}

/**
 * Creates a registry that starts with `records`. A file that cannot be written is logged, but affects no
 * server.
 */
export function createPidRegistry(file: string, logger: Logger, records: RegistryRecords): PidRegistry {
  const children = new Map(records.children.map((record) => [record.pid, record]));
  const containers = new Map(records.containers.map((record) => [record.id, record]));
  const save = coalesced(async () => {
    try {
      await writePrivateFile(file, format([...children.values()], [...containers.values()]));
    } catch (error) {
      logger.log('warn', 'The list of running servers could not be written', { file, error: String(error) });
    }
  });
  return {
    add(record) {
      children.set(record.pid, record);
      return save();
    },
    addFamily(pid, family) {
      const record = children.get(pid);
      if (record === undefined) return Promise.resolve();
      children.set(pid, { ...record, family });
      return save();
    },
    remove(pid) {
      return children.delete(pid) ? save() : Promise.resolve();
    },
    addContainer(record) {
      containers.set(record.id, record);
      return save();
    },
    removeContainer(id) {
      return containers.delete(id) ? save() : Promise.resolve();
    },
  };
}

/** Reads the registry file; a missing or damaged one has no records. */
export async function readPidRegistry(file: string): Promise<RegistryRecords> {
  const text = await readTextIfExists(file);
  if (text === undefined) return noRecords;
  try {
    const { children, containers } = JSON.parse(text);
    return {
      children: Array.isArray(children) ? children.flatMap((value) => readChild(value) ?? []) : [],
      containers: Array.isArray(containers)
        ? containers.flatMap((value) => readContainerRecord(value) ?? [])
        : [],
    };
  } catch {
    return noRecords;
  }
}

export const noRecords: RegistryRecords = { children: [], containers: [] };

function format(children: readonly ChildRecord[], containers: readonly ContainerRecord[]): string {
  const records = { version: 1, children, ...(containers.length === 0 ? {} : { containers }) };
  return `${JSON.stringify(records, undefined, 2)}\n`;
}

function readChild(value: unknown): ChildRecord | undefined {
  if (!isKnownProcess(value) || !('key' in value) || typeof value.key !== 'string') return undefined;
  const { key, pid, identity } = value;
  const family = 'family' in value && Array.isArray(value.family) ? value.family.filter(isKnownProcess) : [];
  return { key, pid, identity, ...(family.length === 0 ? {} : { family }) };
}

function isKnownProcess(value: unknown): value is KnownProcess {
  if (typeof value !== 'object' || value === null) return false;
  const { pid, identity } = value as Partial<Record<keyof KnownProcess, unknown>>;
  return typeof identity === 'string' && Number.isSafeInteger(pid) && Number(pid) > 1;
}

/** Runs at most once at a time, with one run queued; each call resolves after a run that began after it. */
export function coalesced(run: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= current.then(() => {
      next = undefined;
      current = run();
      return current;
    });
    return next;
  };
}

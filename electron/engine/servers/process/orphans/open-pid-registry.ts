import { delay } from '../../../base/clock.ts';
import type { ContainerRecord } from '../containers/container-record.ts';
import { createContainerRegistry, readOrphanContainers } from '../containers/container-registry.ts';
import { withoutDuplicates } from '../containers/escaped-containers.ts';
import { createPidRegistry, noRecords, type PidRegistry, readPidRegistry } from './pid-registry.ts';
import { reapEscaped } from './reap-escaped.ts';
import { type ReapOptions, reapOrphans } from './reap-orphans.ts';

export interface OpenedRegistry {
  readonly registry: PidRegistry;
  /** Resolves when the orphans of earlier hubs have been ended; nothing may be started before. */
  readonly cleared: Promise<void>;
  /** Containers of earlier hubs, once those orphans have been ended. */
  readonly orphanContainers: Promise<readonly ContainerRecord[]>;
  /** Cancels the second look; resolves when the processes it has begun to end are gone. */
  close(): Promise<void>;
}

interface Opened {
  readonly registry: PidRegistry;
  readonly orphanContainers: readonly ContainerRecord[];
}

/**
 * Opens a new registry, after everything that the last one lists or that was left behind otherwise has been
 * ended.
 */
export function openPidRegistry(file: string | undefined, options: ReapOptions): OpenedRegistry {
  const opened = open(file, options);
  const closing = new AbortController();
  const lookedAgain = opened.then(({ registry }) => lookAgain(registry, options, closing.signal));
  const registry = opened.then((one) => one.registry);
  return {
    registry: {
      add: async (record) => (await registry).add(record),
      addFamily: async (pid, family) => (await registry).addFamily(pid, family),
      remove: async (pid) => (await registry).remove(pid),
      addContainer: async (record) => (await registry).addContainer(record),
      removeContainer: async (id) => (await registry).removeContainer(id),
    },
    cleared: opened.then(() => undefined),
    orphanContainers: opened.then(({ orphanContainers }) => orphanContainers),
    close() {
      closing.abort();
      return lookedAgain;
    },
  };
}

async function open(file: string | undefined, options: ReapOptions): Promise<Opened> {
  const { logger } = options;
  const read = file === undefined ? noRecords : await tryStep(options, () => readPidRegistry(file));
  const { children, containers } = read ?? noRecords;
  const remaining = await tryStep(options, async () => (await reapOrphans(children, options)).left);
  const registry =
    file === undefined
      ? createContainerRegistry(logger)
      : createPidRegistry(file, logger, { children: remaining ?? children, containers });
  let orphanContainers = containers;
  /**
   * Records them before the processes that reveal them are ended, since this program may be killed as well.
   */
  async function recordContainers(found: readonly ContainerRecord[]): Promise<void> {
    const all = withoutDuplicates([...found, ...orphanContainers]);
    for (const record of all) if (!orphanContainers.includes(record)) await registry.addContainer(record);
    orphanContainers = all;
  }
  await tryStep(options, async () => {
    const notes = await readOrphanContainers();
    await recordContainers(notes.containers);
    await notes.deleteFiles();
  });
  await tryStep(options, () => endEscaped(options, recordContainers));
  return { registry, orphanContainers };
}

/**
 * Finds what the first look could not recognize: a program that was just being started when the hub was
 * killed carries its tag only once it runs. Its containers are removed by the next hub.
 */
async function lookAgain(registry: PidRegistry, options: ReapOptions, signal: AbortSignal): Promise<void> {
  await delay(options.clock, secondLookMs, signal);
  if (signal.aborted) return;
  await tryStep(options, () =>
    endEscaped(options, async (found) => {
      for (const record of found) await registry.addContainer(record);
    }),
  );
}

/** Milliseconds after the first look; enough for a starting program to run, even on a busy machine. */
const secondLookMs = 2_000;

async function endEscaped(
  options: ReapOptions,
  recordContainers: (containers: readonly ContainerRecord[]) => Promise<void>,
): Promise<void> {
  const escaped = await reapEscaped(options, recordContainers);
  if (escaped.length > 0)
    options.logger.log('warn', 'Processes of an earlier run could not be ended', { strays: escaped });
}

/** Runs one step; if it fails, the others still run. */
async function tryStep<T>({ logger }: ReapOptions, part: () => Promise<T>): Promise<T | undefined> {
  try {
    return await part();
  } catch (error) {
    logger.log('warn', 'Could not search for what the last run left behind', { error: String(error) });
    return undefined;
  }
}

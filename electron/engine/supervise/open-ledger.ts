import { delay } from '../base/clock.ts';
import { createContainerNotes, readLeftNotes } from './container-notes.ts';
import type { ContainerRecord } from './container-record.ts';
import { createLedger, type Ledger, noRecords, readLedger } from './ledger.ts';
import { type ReapOptions, reapLeftovers } from './reap-leftovers.ts';
import { reapStrays } from './reap-strays.ts';
import { withoutTwins } from './stray-containers.ts';

export interface OpenedLedger {
  readonly ledger: Ledger;
  /** Resolves when the orphans of earlier hubs have been ended; nothing may be started before. */
  readonly cleared: Promise<void>;
  /** Containers of earlier hubs, once those orphans have been ended. */
  readonly leftContainers: Promise<readonly ContainerRecord[]>;
  /** Cancels the second look; resolves when the processes it has begun to end are gone. */
  close(): Promise<void>;
}

interface Opened {
  readonly ledger: Ledger;
  readonly left: readonly ContainerRecord[];
}

/**
 * Opens a new registry, after everything that the last one lists or that was left behind otherwise has been
 * ended.
 */
export function openLedger(file: string | undefined, options: ReapOptions): OpenedLedger {
  const opened = open(file, options);
  const closing = new AbortController();
  const lookedAgain = opened.then(({ ledger }) => lookAgain(ledger, options, closing.signal));
  const ledger = opened.then((one) => one.ledger);
  return {
    ledger: {
      add: async (record) => (await ledger).add(record),
      remove: async (pid) => (await ledger).remove(pid),
      addContainer: async (record) => (await ledger).addContainer(record),
      removeContainer: async (id) => (await ledger).removeContainer(id),
    },
    cleared: opened.then(() => undefined),
    leftContainers: opened.then(({ left }) => left),
    close() {
      closing.abort();
      return lookedAgain;
    },
  };
}

async function open(file: string | undefined, options: ReapOptions): Promise<Opened> {
  const { logger } = options;
  const read = file === undefined ? noRecords : await attempt(options, () => readLedger(file));
  const { children, containers } = read ?? noRecords;
  const remaining = await attempt(options, async () => (await reapLeftovers(children, options)).left);
  const ledger =
    file === undefined
      ? createContainerNotes(logger)
      : createLedger(file, logger, { children: remaining ?? children, containers });
  let left = containers;
  /**
   * Records them before the processes that reveal them are ended, since this program may be killed as well.
   */
  async function adopt(found: readonly ContainerRecord[]): Promise<void> {
    const all = withoutTwins([...found, ...left]);
    for (const record of all) if (!left.includes(record)) await ledger.addContainer(record);
    left = all;
  }
  await attempt(options, async () => {
    const notes = await readLeftNotes();
    await adopt(notes.containers);
    await notes.forget();
  });
  await attempt(options, () => clearStrays(options, adopt));
  return { ledger, left };
}

/**
 * Finds what the first look could not recognize: a program that was just being started when the hub was
 * killed carries its tag only once it runs. Its containers are removed by the next hub.
 */
async function lookAgain(ledger: Ledger, options: ReapOptions, signal: AbortSignal): Promise<void> {
  await delay(options.clock, secondLookMs, signal);
  if (signal.aborted) return;
  await attempt(options, () =>
    clearStrays(options, async (found) => {
      for (const record of found) await ledger.addContainer(record);
    }),
  );
}

/** Milliseconds after the first look; enough for a starting program to run, even on a busy machine. */
const secondLookMs = 2_000;

async function clearStrays(
  options: ReapOptions,
  adopt: (containers: readonly ContainerRecord[]) => Promise<void>,
): Promise<void> {
  const strays = await reapStrays(options, adopt);
  if (strays.length > 0)
    options.logger.log('warn', 'Processes of an earlier run could not be ended', { strays });
}

/** Runs one step; if it fails, the others still run. */
async function attempt<T>({ logger }: ReapOptions, part: () => Promise<T>): Promise<T | undefined> {
  try {
    return await part();
  } catch (error) {
    logger.log('warn', 'Could not search for what the last run left behind', { error: String(error) });
    return undefined;
  }
}

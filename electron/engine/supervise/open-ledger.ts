import { delay } from '../base/clock.ts';
import { createContainerNotes, readLeftNotes } from './container-notes.ts';
import type { ContainerRecord } from './container-record.ts';
import { createLedger, type Ledger, noRecords, readLedger } from './ledger.ts';
import { type ReapOptions, reapLeftovers } from './reap-leftovers.ts';
import { reapStrays } from './reap-strays.ts';
import { withoutTwins } from './stray-containers.ts';

export interface OpenedLedger {
  readonly ledger: Ledger;
  /** Resolves when the processes that earlier runs left behind have been ended; nothing may be started before. */
  readonly cleared: Promise<void>;
  /** Containers that earlier runs left behind, once those processes have been ended. */
  readonly leftContainers: Promise<readonly ContainerRecord[]>;
  /** Looks no more for what earlier runs left behind; resolves when what it has begun to end has ended. */
  close(): Promise<void>;
}

interface Opened {
  readonly ledger: Ledger;
  readonly left: readonly ContainerRecord[];
}

/** A fresh ledger, once what the last one names, and whatever else was left behind, has been ended. */
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
  /** Notes them before what tells of them has ended: this program may be killed as well. */
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
 * Finds what could not be recognized at the first look: a program that was just being started when the hub was killed
 * carries its mark only once it runs. A container of its own is removed by the next start.
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

/** Milliseconds after the first look, in which a program that was being started runs, also where the processor is busy. */
const secondLookMs = 2_000;

async function clearStrays(
  options: ReapOptions,
  adopt: (containers: readonly ContainerRecord[]) => Promise<void>,
): Promise<void> {
  const strays = await reapStrays(options, adopt);
  if (strays.length > 0)
    options.logger.log('warn', 'Processes of an earlier run could not be ended', { strays });
}

/** Runs a part of the look; where it fails, the others go on. */
async function attempt<T>({ logger }: ReapOptions, part: () => Promise<T>): Promise<T | undefined> {
  try {
    return await part();
  } catch (error) {
    logger.log('warn', 'What the last run left behind could not be looked for', { error: String(error) });
    return undefined;
  }
}

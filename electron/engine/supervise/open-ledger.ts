import { delay } from '../base/clock.ts';
import type { ContainerRecord } from './container-record.ts';
import { createLedger, type Ledger, type LedgerRecords, noLedger, noRecords, readLedger } from './ledger.ts';
import { type ReapOptions, reapLeftovers } from './reap-leftovers.ts';
import { reapStrays } from './reap-strays.ts';
import { withoutTwins } from './stray-containers.ts';

export interface OpenedLedger {
  readonly ledger: Ledger;
  /** Resolves when what earlier runs left behind has been ended; nothing may be started before. */
  readonly cleared: Promise<void>;
  /** Looks no more for what earlier runs left behind; resolves when what it has begun to end has ended. */
  close(): Promise<void>;
}

/** A fresh ledger, once what the last one names, and whatever else was left behind, has been ended. */
export function openLedger(file: string | undefined, options: ReapOptions): OpenedLedger {
  const opened = open(file, options);
  const closing = new AbortController();
  const lookedAgain = opened.then((ledger) => lookAgain(ledger, options, closing.signal));
  return {
    ledger: {
      add: async (record) => (await opened).add(record),
      remove: async (pid) => (await opened).remove(pid),
      leftContainers: async () => (await opened).leftContainers(),
      addContainer: async (record) => (await opened).addContainer(record),
      removeContainer: async (id) => (await opened).removeContainer(id),
    },
    cleared: opened.then(() => undefined),
    close() {
      closing.abort();
      return lookedAgain;
    },
  };
}

/**
 * Finds what could not be recognized at the first look: a program that was just being started when the hub was killed
 * carries its mark only once it runs.
 */
async function lookAgain(ledger: Ledger, options: ReapOptions, signal: AbortSignal): Promise<void> {
  await delay(options.clock, secondLookMs, signal);
  if (signal.aborted) return;
  try {
    for (const record of await clearStrays(options)) await ledger.addContainer(record);
  } catch (error) {
    options.logger.log('warn', 'What the last run left behind could not be looked for again', {
      error: String(error),
    });
  }
}

/** Milliseconds after the first look, in which a program that was being started runs, also where the processor is busy. */
const secondLookMs = 2_000;

async function open(file: string | undefined, options: ReapOptions): Promise<Ledger> {
  const { logger } = options;
  const start = (records: LedgerRecords) =>
    file === undefined
      ? { ...noLedger, leftContainers: async () => records.containers }
      : createLedger(file, logger, records);
  try {
    const { children, containers } = file === undefined ? noRecords : await readLedger(file);
    const { left } = await reapLeftovers(children, options);
    const strayContainers = await clearStrays(options);
    return start({ children: left, containers: withoutTwins([...strayContainers, ...containers]) });
  } catch (error) {
    const evidence = { file, error: String(error) };
    logger.log('warn', 'What the last run left behind could not be looked for', evidence);
    return start(noRecords);
  }
}

/** Resolves with the containers that they had started. */
async function clearStrays(options: ReapOptions): Promise<readonly ContainerRecord[]> {
  const { left, containers } = await reapStrays(options);
  if (left.length > 0)
    options.logger.log('warn', 'Processes of an earlier run could not be ended', { strays: left });
  return containers;
}

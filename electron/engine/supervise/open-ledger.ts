import { createLedger, type Ledger, type LedgerRecords, noLedger, noRecords, readLedger } from './ledger.ts';
import { type ReapOptions, reapLeftovers } from './reap-leftovers.ts';
import { reapStrays } from './reap-strays.ts';
import { withoutTwins } from './stray-containers.ts';

export interface OpenedLedger {
  readonly ledger: Ledger;
  /** Resolves when what earlier runs left behind has been ended; nothing may be started before. */
  readonly cleared: Promise<void>;
}

/** A fresh ledger, once what the last one names, and whatever else was left behind, has been ended. */
export function openLedger(file: string | undefined, options: ReapOptions): OpenedLedger {
  const opened = open(file, options);
  return {
    ledger: {
      add: async (record) => (await opened).add(record),
      remove: async (pid) => (await opened).remove(pid),
      leftContainers: async () => (await opened).leftContainers(),
      addContainer: async (record) => (await opened).addContainer(record),
      removeContainer: async (id) => (await opened).removeContainer(id),
    },
    cleared: opened.then(() => undefined),
  };
}

async function open(file: string | undefined, options: ReapOptions): Promise<Ledger> {
  const { logger } = options;
  const start = (records: LedgerRecords) =>
    file === undefined
      ? { ...noLedger, leftContainers: async () => records.containers }
      : createLedger(file, logger, records);
  try {
    const { children, containers } = file === undefined ? noRecords : await readLedger(file);
    const { left } = await reapLeftovers(children, options);
    const strays = await reapStrays(options);
    if (strays.left.length > 0)
      logger.log('warn', 'Processes of an earlier run could not be ended', { strays: strays.left });
    return start({ children: left, containers: withoutTwins([...strays.containers, ...containers]) });
  } catch (error) {
    const evidence = { file, error: String(error) };
    logger.log('warn', 'What the last run left behind could not be looked for', evidence);
    return start(noRecords);
  }
}

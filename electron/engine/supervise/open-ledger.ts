import { createLedger, type Ledger, noLedger } from './ledger.ts';
import { type ReapOptions, reapLeftovers } from './reap-leftovers.ts';
import { reapStrays } from './reap-strays.ts';

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
    },
    cleared: opened.then(() => undefined),
  };
}

async function open(file: string | undefined, options: ReapOptions): Promise<Ledger> {
  const { logger } = options;
  const start = (left: Parameters<typeof createLedger>[2]) =>
    file === undefined ? noLedger : createLedger(file, logger, left);
  try {
    const { left } = file === undefined ? { left: [] } : await reapLeftovers(file, options);
    const strays = await reapStrays(options);
    if (strays.length > 0) logger.log('warn', 'Processes of an earlier run could not be ended', { strays });
    return start(left);
  } catch (error) {
    const evidence = { file, error: String(error) };
    logger.log('warn', 'What the last run left behind could not be looked for', evidence);
    return start([]);
  }
}

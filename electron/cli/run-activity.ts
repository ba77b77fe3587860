import { once } from 'node:events';
import { toProblem } from '../../shared/error/problem.ts';
import { dataPaths, defaultDataDir, keptActivity } from '../engine/engine.ts';
import type { ActivityArgs } from './activity-args.ts';
import { problemText } from './report.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs `patchbay activity`; resolves to the exit code. */
export async function runActivity(args: ActivityArgs, env: Environment): Promise<number> {
  const { format, most } = args;
  const file = dataPaths(args.dataDir ?? defaultDataDir(env)).activity;
  // Who reads may have seen enough (`| head`).
  let isHeard = true;
  process.stdout.on('error', () => {
    isHeard = false;
  });
  try {
    for await (const text of keptActivity({ file, format, most })) {
      if (!isHeard) break;
      if (!process.stdout.write(text) && isHeard) await once(process.stdout, 'drain').catch(() => undefined);
    }
    return 0;
  } catch (error) {
    process.stderr.write(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}

import { once } from 'node:events';
import { toProblem } from '../../shared/error/problem.ts';
import { dataPaths, defaultDataDir, existingDataDir, storedActivity } from '../engine/engine.ts';
import type { ActivityArgs } from './activity-args.ts';
import { activityText } from './activity-text.ts';
import { print, printError } from './print.ts';
import { problemText } from './report.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Runs `patchbay activity`; resolves to the exit code. */
export async function runActivity(args: ActivityArgs, env: Environment): Promise<number> {
  const { format = process.stdout.isTTY ? 'text' : 'jsonl', most } = args;
  const isText = format === 'text';
  // The reader may have closed the pipe (`| head`).
  let isReading = true;
  process.stdout.on('error', () => {
    isReading = false;
  });
  try {
    const dir = await existingDataDir(args.dataDir ?? defaultDataDir(env));
    const file = dataPaths(dir).activity;
    for await (const lines of storedActivity({ file, format: isText ? 'jsonl' : format, limit: most })) {
      if (!isReading) break;
      const text = isText ? activityText(lines) : lines;
      if (!print(text) && isReading) await once(process.stdout, 'drain').catch(() => undefined);
    }
    return 0;
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}

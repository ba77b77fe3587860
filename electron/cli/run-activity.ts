import { once } from 'node:events';
import { toProblem } from '../../shared/error/problem.ts';
import { dataPaths, defaultDataDir, existingDataDir, keptActivity } from '../engine/engine.ts';
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
  let isHeard = true;
  process.stdout.on('error', () => {
    isHeard = false;
  });
  try {
    const dir = await existingDataDir(args.dataDir ?? defaultDataDir(env));
    const file = dataPaths(dir).activity;
    for await (const lines of keptActivity({ file, format: isText ? 'jsonl' : format, most })) {
      if (!isHeard) break;
      const text = isText ? activityText(lines) : lines;
      if (!print(text) && isHeard) await once(process.stdout, 'drain').catch(() => undefined);
    }
    return 0;
  } catch (error) {
    printError(`${problemText(toProblem(error))}\n`);
    return 1;
  }
}

import { access, mkdir, writeFile } from 'node:fs/promises';
import { type Problem, problem } from '../../../../shared/error/problem.ts';
import { type DataPaths, dataPaths } from './data-dir.ts';
import { removeFile } from './replace-file.ts';

/** Tells bridges started by clients that Patchbay stays off until a person opens it. */
export async function turnOff(dataDir: string): Promise<void> {
  const { run, turnedOff } = dataPaths(dataDir);
  await mkdir(run, { recursive: true, mode: 0o700 });
  await writeFile(turnedOff, '', { mode: 0o600 });
}

export async function clearTurnedOff(dataDir: string): Promise<void> {
  await removeFile(dataPaths(dataDir).turnedOff);
}

export function hubTurnedOff(): Problem {
  return problem('hub.turned_off', 'Patchbay is turned off.', 'Open Patchbay to use this tool.');
}

export async function isTurnedOff({ turnedOff }: Pick<DataPaths, 'turnedOff'>): Promise<boolean> {
  return access(turnedOff).then(
    () => true,
    () => false,
  );
}

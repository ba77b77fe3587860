import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { type DataPaths, dataPaths } from './data-dir.ts';

/** Leaves word for the bridges that clients start: Patchbay stays off until a person opens it. */
export async function turnOff(dataDir: string): Promise<void> {
  const { run, turnedOff } = dataPaths(dataDir);
  await mkdir(run, { recursive: true, mode: 0o700 });
  await writeFile(turnedOff, '', { mode: 0o600 });
}

export async function clearTurnedOff(dataDir: string): Promise<void> {
  await rm(dataPaths(dataDir).turnedOff, { force: true });
}

export async function isTurnedOff({ turnedOff }: Pick<DataPaths, 'turnedOff'>): Promise<boolean> {
  return access(turnedOff).then(
    () => true,
    () => false,
  );
}

import type { Command } from 'commander';
import { problem, toProblem } from '../../../shared/error/problem.ts';
import { clearTurnedOff, defaultDataDir, isHubRunning, stopOtherHub, turnOff } from '../../engine/engine.ts';
import type { CliCommand } from '../terminal/cli-command.ts';
import { dataDirOption } from '../terminal/option-values.ts';
import { print, printError } from '../terminal/print.ts';
import { problemText } from '../terminal/problem-text.ts';

/** Stops the hub itself. */
export interface StopArgs {
  readonly kind: 'stop';
  readonly dataDir?: string;
  /** Keeps clients from starting Patchbay again until a person opens it. */
  readonly stayOff: boolean;
}

export const stopCommand: CliCommand<StopArgs> = { describe: describeStop, run: runStop };

function describeStop(command: Command, onStop: (args: StopArgs) => void): void {
  command
    .command('stop')
    .description('stop a Patchbay that runs without a window, after its calls finish')
    .option(...dataDirOption)
    .option('--stay-off', 'keep clients from starting Patchbay again until you open it')
    .action(({ stayOff = false, ...folder }: { readonly dataDir?: string; readonly stayOff?: boolean }) =>
      onStop({ kind: 'stop', stayOff, ...folder }),
    );
}

/** Runs `patchbay stop`; resolves to the exit code: 0 once the hub has stopped. */
async function runStop(
  { dataDir, stayOff }: StopArgs,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const dir = dataDir ?? defaultDataDir(env);
  // Turned off before clients lose their connection, since they would start the hub again.
  if (stayOff) await turnOff(dir);
  try {
    const pid = await stopOtherHub(dir);
    const next = stayOff
      ? 'Patchbay stays off until you open it or run patchbay serve.'
      : 'An open client starts it again with its next call; --stay-off prevents that.';
    print(`Patchbay (process ${pid}) has stopped. ${next}\n`);
    return 0;
  } catch (error) {
    const found = toProblem(error);
    const isOff = found.code === 'hub.unreachable' && !(await isHubRunning(dir));
    if (stayOff && isOff) {
      print('Patchbay was not running. It stays off until you open it or run patchbay serve.\n');
      return 0;
    }
    if (stayOff) await clearTurnedOff(dir);
    printError(`${problemText(isOff ? nothingToStop(dir) : found)}\n`);
    return 1;
  }
}

function nothingToStop(folder: string) {
  return problem(
    'hub.unreachable',
    'Patchbay is not running, so there is nothing to stop.',
    'To keep clients from starting it, run patchbay stop --stay-off.',
    { 'data folder': folder },
  );
}

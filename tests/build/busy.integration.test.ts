import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isAlive } from '../chaos/lib/processes.mjs';
import { eventually } from '../helper/eventually.ts';

const script = fileURLToPath(new URL('../../build/busy.mjs', import.meta.url));

/** Starts the script over one test file, and waits until its load is there. */
async function startBusy() {
  const args = [script, '--hogs', '1', '--project', 'unit', 'tests/shared/json.test.ts'];
  const busy = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = once(busy, 'exit');
  let said = '';
  busy.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const load = () =>
    said
      .match(/^Busy: processor, disk, processes \((.+)\)$/m)?.[1]
      ?.split(', ')
      .map(Number);
  await eventually(() => expect(load()).toHaveLength(3));
  const pids = load() ?? [];
  expect(pids.every(isAlive)).toBe(true);
  return { busy, gone, pids, said: () => said };
}

// Processes are looked up in /proc, which only Linux has.
describe.skipIf(process.platform !== 'linux')('[PB-LOAD-1] the load of npm run test:busy', () => {
  it('ends with the tests and returns their exit code', async () => {
    const { gone, pids, said } = await startBusy();
    expect(await gone).toEqual([0, null]);
    expect(said()).toMatch(/Test Files .*1 passed/);
    await eventually(() => expect(pids.filter(isAlive)).toEqual([]));
  });

  it.each([
    ['SIGINT', [130, null]],
    ['SIGTERM', [143, null]],
    ['SIGKILL', [null, 'SIGKILL']],
  ] as const)('ends when the script is sent %s', async (signal, end) => {
    const { busy, gone, pids } = await startBusy();
    busy.kill(signal);
    expect(await gone).toEqual(end);
    await eventually(() => expect(pids.filter(isAlive)).toEqual([]));
  });
});

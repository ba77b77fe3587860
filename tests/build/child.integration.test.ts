import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const helper = new URL('../../build/child.mjs', import.meta.url).href;

/** A program that puts another one, given as script text, in its own place. */
function inItsPlace(script: string): ChildProcess {
  const program = `
    import { runInOurPlace } from ${JSON.stringify(helper)};
    process.exit(await runInOurPlace(process.execPath, ['-e', ${JSON.stringify(script)}]));`;
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  return spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

const sayReady = 'console.log("ready"); setInterval(() => {}, 1000);';

describe.skipIf(process.platform === 'win32')('a program that runs in our place', () => {
  it('hands its exit code on', async () => {
    expect(await once(inItsPlace('process.exit(7)'), 'exit')).toEqual([7, null]);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('gets our %s and decides how to end', async (signal) => {
    const child = inItsPlace(`process.on('${signal}', () => process.exit(9)); ${sayReady}`);
    if (child.stdout) await once(child.stdout, 'data');
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([9, null]);
  });

  it('counts as ended by a signal the way a shell says it', async () => {
    const child = inItsPlace(sayReady);
    if (child.stdout) await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([143, null]);
  });
});

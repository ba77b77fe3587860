import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { eventually } from '../helper/eventually.ts';

const helper = new URL('../../build/child.mjs', import.meta.url).href;

/** The command of a program that puts another one, given as script text, in its own place. */
function commandFor(script: string): readonly [program: string, ...args: string[]] {
  const program = `
    import { runInOurPlace } from ${JSON.stringify(helper)};
    process.exit(await runInOurPlace(process.execPath, ['-e', ${JSON.stringify(script)}]));`;
  return [process.execPath, '--input-type=module', '-e', program];
}

function inItsPlace(script: string): ChildProcess {
  const [program, ...args] = commandFor(script);
  const cwd = fileURLToPath(new URL('.', import.meta.url));
  return spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
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

  it('[PB-PROC-1] is asked to end when npm has ended the shell around us', async () => {
    const script = `process.on('SIGTERM', () => { console.log('told'); process.exit(); }); ${sayReady}`;
    const [program, ...args] = commandFor(script);
    const shell = spawn('sh', ['-c', '"$0" "$@"; true', program, ...args], {
      env: { ...process.env, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const said: string[] = [];
    shell.stdout.on('data', (chunk) => said.push(String(chunk).trim()));
    await eventually(() => expect(said).toEqual(['ready']));
    shell.kill('SIGTERM');
    await eventually(() => expect(said).toEqual(['ready', 'told']));
  });
});

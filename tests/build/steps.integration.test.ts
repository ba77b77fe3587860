import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { tempDir } from '../helper/temp-dir.ts';

const steps = new URL('../../build/steps.mjs', import.meta.url).href;

/** A runner of tests of which one always passes and one passes when its file is run by itself. */
const runner = `
  const isAlone = process.argv.includes('a.test.ts');
  const failed = isAlone ? [] : [{ file: 'a.test.ts', title: 'waits', message: 'too slow' }];
  require('node:fs').writeFileSync(process.env.TEST_REPORT, JSON.stringify({ passed: 2 - failed.length, failed, stray: [] }));
  process.exitCode = failed.length;`;

async function runSteps(options: object) {
  await using folder = await tempDir();
  const step = {
    name: 'unit',
    command: [process.execPath, '-e', runner, '--'],
    report: join(folder.path, 'r'),
  };
  const program = `
    import { runSteps } from ${JSON.stringify(steps)};
    const outcome = await runSteps([${JSON.stringify(step)}], ${JSON.stringify(options)});
    console.log(JSON.stringify(outcome));`;
  const args = ['--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout;
}

describe('[PB-LOAD-1] the steps of npm test', () => {
  it('try nothing twice by themselves: a test that fails is named and counts', async () => {
    const said = await runSteps({});
    expect(said).toContain('\nFailed:\n  a.test.ts: waits\n    too slow\n');
    expect(said).toMatch(/\{"ok":false,"passed":1,"failed":1\}\n$/);
  });

  it('name what failed at first and passed alone, where CI asks for a second run of its file', async () => {
    const said = await runSteps({ failedOnceMore: true });
    expect(said).toContain('\nFailed at first, passed alone:\n  a.test.ts: waits\n    too slow\n');
    expect(said).toMatch(/\{"ok":true,"passed":2,"failed":0\}\n$/);
  });
});

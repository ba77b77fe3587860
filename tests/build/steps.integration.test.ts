import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { tempDir } from '../helper/temp-dir.ts';

const stepsFile = new URL('../../build/steps.mjs', import.meta.url).href;

/** A runner of tests of which one always passes and one passes when its file is run by itself. */
const runner = `
  const isAlone = process.argv.includes('a.test.ts');
  const failed = isAlone ? [] : [{ file: 'a.test.ts', title: 'waits', message: 'too slow' }];
  require('node:fs').writeFileSync(process.env.TEST_REPORT, JSON.stringify({ passed: 2 - failed.length, failed, stray: [] }));
  process.exitCode = failed.length;`;

async function run(steps: string, options: object = {}) {
  const program = `
    import { runSteps } from ${JSON.stringify(stepsFile)};
    const outcome = await runSteps(${steps}, ${JSON.stringify(options)});
    console.log(JSON.stringify(outcome));`;
  const args = ['--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout;
}

async function runSteps(options: object) {
  await using folder = await tempDir();
  const report = JSON.stringify(join(folder.path, 'r'));
  const step = `{
    name: 'unit',
    command: [process.execPath, '-e', ${JSON.stringify(runner)}, '--'],
    report: ${report},
    again: (files) => [process.execPath, '-e', ${JSON.stringify(runner)}, '--', ...files],
  }`;
  return await run(`[${step}]`, options);
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

  it('count and name a step that was to report its tests and did not', async () => {
    const step = { name: 'suite', command: [process.execPath, '-e', 'process.exit(13)'], report: '/nowhere' };
    const said = await run(JSON.stringify([step]));
    expect(said).toContain('\nFailed:\n  suite: (no report)\n    The tests ended without a report');
    expect(said).toMatch(/\{"ok":false,"passed":0,"failed":1\}\n$/);
  });

  it('run in parallel if asked to, each list in order', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'met');
    const meets = `
      const fs = require('node:fs');
      fs.writeFileSync(${JSON.stringify(file)} + process.argv[1], '');
      const look = () => fs.existsSync(${JSON.stringify(file)} + process.argv[2]) ? undefined : setTimeout(look, 20);
      look();`;
    const step = (name: string, other: string) => ({
      name,
      command: [process.execPath, '-e', meets, name, other],
    });
    const lanes = [[[step('a', 'b'), step('c', 'a')], [step('b', 'a')]]];
    expect(await run(JSON.stringify(lanes))).toMatch(/\nok {5}a .*\nok {5}c .*\nok {5}b .*\n\{"ok":true/);
  });

  it('keep quiet about what passed, and show what a failed one wrote', async () => {
    const step = (name: string, code: number) => ({
      name,
      command: [
        process.execPath,
        '-e',
        `console.log('said by ${name}'); console.error('why'); process.exit(${code})`,
      ],
    });
    const said = await run(JSON.stringify([step('well', 0), step('bad', 3)]), { quiet: true });
    expect(said).not.toContain('said by well');
    expect(said).toContain('── bad\nsaid by bad\nwhy\n');
  });
});

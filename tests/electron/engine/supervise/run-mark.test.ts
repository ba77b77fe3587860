import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../../../electron/engine/supervise/child-env.ts';
import { parseMarked } from '../../../../electron/engine/supervise/process-marks.ts';
import { extendRuns, type RunMark, readRuns } from '../../../../electron/engine/supervise/run-mark.ts';
import { runsVariable } from '../../../../shared/model/loop.ts';

const mark = (owner: number, id: string): RunMark => ({
  owner,
  ownerIdentity: 'Sat Nov 28, 01:42/34',
  place: '',
  id,
});

describe('the process tag', () => {
  it('is read as written, after the tags above it', () => {
    const [outer, inner] = [mark(1, 'outer'), mark(4711, 'in,ner')];
    const text = extendRuns(extendRuns(undefined, outer), inner);
    expect(text).not.toMatch(/\s/);
    expect(readRuns(text)).toEqual([outer, inner]);
    expect(extendRuns('', outer)).toBe(extendRuns(undefined, outer));
  });

  it.each([
    undefined,
    '',
    'x',
    '5/a/b',
    '0/a/b/c',
    '-1/a/b/c',
    '1.5/a/b/c',
    '5/a/b/',
    '5/a/b/c/d',
    '5/a/b/%',
  ])('ignores foreign values: %j', (text) => expect(readRuns(text)).toEqual([]));

  it('is in the environment of a child, whatever its entry says', () => {
    const inherited = { [runsVariable]: extendRuns(undefined, mark(7, 'above')) };
    const options = { inherited, entry: { [runsVariable]: 'forged' }, instanceId: 'x' };
    const env = childEnvironment({ ...options, mark: mark(8, 'own') });
    expect(readRuns(env[runsVariable]).map(({ id }) => id)).toEqual(['above', 'own']);
  });

  it('is found in the output of ps, behind the command line', () => {
    const text = extendRuns(undefined, mark(8, 'own'));
    const output = [
      `  501  1000 node server.mjs --name=${runsVariable} LANG=C ${runsVariable}=${text} HOME=/h`,
      `  502  1000 /usr/bin/login TERM=xterm`,
      `  503     0 node server.mjs ${runsVariable}=${text}`,
      `  504  1000 node server.mjs ${runsVariable}=forged`,
      '',
    ].join('\n');
    expect(parseMarked(output, 1000)).toEqual([{ pid: 501, runs: [mark(8, 'own')] }]);
  });
});

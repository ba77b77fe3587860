import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../../../electron/engine/supervise/child-env.ts';
import { parseTagged } from '../../../../electron/engine/supervise/process-marks.ts';
import { appendTag, type ProcessTag, readTags } from '../../../../electron/engine/supervise/run-mark.ts';
import { processTagVariable } from '../../../../shared/model/loop.ts';

const tag = (owner: number, id: string): ProcessTag => ({
  owner,
  ownerIdentity: 'Sat Nov 28, 01:42/34',
  cgroup: '',
  id,
});

describe('the process tag', () => {
  it('is read as written, after the tags above it', () => {
    const [outer, inner] = [tag(1, 'outer'), tag(4711, 'in,ner')];
    const text = appendTag(appendTag(undefined, outer), inner);
    expect(text).not.toMatch(/\s/);
    expect(readTags(text)).toEqual([outer, inner]);
    expect(appendTag('', outer)).toBe(appendTag(undefined, outer));
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
  ])('ignores foreign values: %j', (text) => expect(readTags(text)).toEqual([]));

  it('is in the environment of a child, whatever its entry says', () => {
    const inherited = { [processTagVariable]: appendTag(undefined, tag(7, 'above')) };
    const options = { inherited, entry: { [processTagVariable]: 'forged' }, instanceId: 'x' };
    const env = childEnvironment({ ...options, tag: tag(8, 'own') });
    expect(readTags(env[processTagVariable]).map(({ id }) => id)).toEqual(['above', 'own']);
  });

  it('is found in the output of ps, behind the command line', () => {
    const text = appendTag(undefined, tag(8, 'own'));
    const output = [
      `  501  1000 node server.mjs --name=${processTagVariable} LANG=C ${processTagVariable}=${text} HOME=/h`,
      `  502  1000 /usr/bin/login TERM=xterm`,
      `  503     0 node server.mjs ${processTagVariable}=${text}`,
      `  504  1000 node server.mjs ${processTagVariable}=forged`,
      '',
    ].join('\n');
    expect(parseTagged(output, 1000)).toEqual([{ pid: 501, runs: [tag(8, 'own')] }]);
  });
});

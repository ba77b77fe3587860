import { describe, expect, it } from 'vitest';
import { parseBridgeArgs } from '../../../electron/bridge/args.ts';

const parse = (...argv: string[]) => parseBridgeArgs(argv, '1.2.3');

describe('the arguments of the bridge', () => {
  it.each([
    ['a folder that is nothing', ['--data-dir', ''], '--data-dir'],
    ['a folder of blanks', ['--data-dir= '], '--data-dir'],
    ['a client that is nothing', ['--client', ''], '--client'],
    ['a profile that is nothing', ['--profile', ''], '--profile'],
  ])('[PB-BRIDGE-1] refuse %s, as an unset variable makes it', (_what, argv, name) => {
    const text = expect.stringContaining(`${name} has no value`);
    expect(parse(...argv)).toEqual({ kind: 'usage', text });
    expect(parse('--doctor', ...argv)).toEqual({ kind: 'usage', text });
  });

  it('[PB-BRIDGE-1] are otherwise passed on unchanged', () => {
    const argv = ['--data-dir', '/a b', '--client', 'x', '--names', 'dot', '--profile', 'my work'];
    expect(parse(...argv)).toEqual({
      kind: 'run',
      profile: 'my work',
      dataDir: '/a b',
      client: 'x',
      names: 'dot',
    });
    expect(parse('--doctor')).toEqual({ kind: 'doctor' });
  });
});

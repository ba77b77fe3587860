import { describe, expect, it } from 'vitest';
import { launchHub } from '../../../electron/bridge/start-hub.ts';
import { ancestorsVariable, processTagVariable } from '../../../shared/model/server/loop.ts';

describe('a hub that a bridge starts', () => {
  it('[PB-BRIDGE-1] does not belong to the server that has started the bridge', async () => {
    const script = 'process.stderr.write(Object.keys(process.env).join());process.exit(3)';
    const inherited = { PATH: '/bin', [ancestorsVariable]: 'outer', [processTagVariable]: '5/a/b/c' };
    const hub = launchHub({ command: process.execPath, args: ['-e', script], env: { X: '1' } }, inherited);
    const { code, stderrTail: lastWords } = await hub.ended;
    hub.release();
    expect(code).toBe(3);
    // The variable of the hubs above is still passed on, so that a loop can be refused.
    expect(lastWords.split(',')).toEqual(expect.arrayContaining(['PATH', 'X', ancestorsVariable]));
    expect(lastWords.split(',')).not.toContain(processTagVariable);
  });
});

import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseLaunchOptions } from '../../../../electron/main/lifecycle/launch-options.ts';

describe('the arguments of the app', () => {
  it.each([
    [[], { hidden: false, addServer: false }],
    [['--hidden'], { hidden: true, addServer: false }],
    [['patchbay://add?url=x', '--hidden'], { hidden: true, addServer: false, link: 'patchbay://add?url=x' }],
    [['--add-server'], { hidden: false, addServer: true }],
    [['--data-dir=/elsewhere'], { hidden: false, addServer: false, dataDir: resolve('/elsewhere') }],
    [['--data-dir', '/else where'], { hidden: false, addServer: false, dataDir: resolve('/else where') }],
    [['--data-dir', 'near'], { hidden: false, addServer: false, dataDir: resolve('/home/near') }],
    [
      ['/path/of/app', '--no-sandbox', '--hidden', '--lang=de', '-psn_0_1'],
      { hidden: true, addServer: false },
    ],
    [['--remote-debugging-port=0', '--inspect=0', '--hidden'], { hidden: true, addServer: false }],
  ])('[PB-APP-1] %j', (args, value) => {
    expect(parseLaunchOptions(args, '/home')).toEqual({ ok: true, value });
  });

  it.each([[['--data-dir']], [['--data-dir=']]])(
    '[PB-APP-1] %j is refused: it would open the wrong folder',
    (args) => {
      expect(parseLaunchOptions(args, '/home')).toMatchObject({ ok: false });
    },
  );
});

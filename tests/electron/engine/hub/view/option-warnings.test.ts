import { describe, expect, it } from 'vitest';
import type { ConfiguredServer } from '../../../../../electron/engine/config/contract.ts';
import { optionWarnings } from '../../../../../electron/engine/hub/view/option-warnings.ts';
import { serverOf } from '../../../../helper/catalogue.ts';
import { configured } from '../../../../helper/configured.ts';

const listed = [
  { ...serverOf('a', { tools: ['t'] }), cached: false },
  { ...serverOf('old', { tools: ['t'] }), cached: true },
];
const around = {
  configured: (key: string) => (['a', 'old', 'new'].includes(key) ? configured(key) : undefined),
  catalogued: (key: string) => listed.find((server) => server.key === key),
};
const warned = (key: string, changes: Partial<ConfiguredServer>) =>
  optionWarnings(configured(key, changes), around).map(({ sentence }) => sentence);

describe('warnings of options', () => {
  it('[PB-CFG-1] name turned-off tools that a listed server does not have', () => {
    const disabledTools = new Set(['t', 'none']);
    expect(warned('a', { disabledTools })).toEqual(['patchbay.disabledTools: a offers no tool "none".']);
    const enabledTools = new Set(['t', 'gone']);
    expect(warned('a', { enabledTools })).toEqual(['patchbay.enabledTools: a offers no tool "gone".']);
    expect(warned('old', { disabledTools })).toEqual([]);
    expect(warned('new', { disabledTools })).toEqual([]);
  });

  it('[PB-CFG-1] name fallbacks that cannot be used', () => {
    const fallback = new Map([['t', ['a:t', 'gone:t', 'plain', 'a:none', 'old:none', 'new:t', 'a:t']]]);
    expect(warned('new', { fallback })).toEqual([
      'patchbay.fallback.t: "gone:t" cannot be used: there is no server "gone".',
      'patchbay.fallback.t: "plain" cannot be used: ids are written as server:tool.',
      'patchbay.fallback.t: "a:none" cannot be used: a offers no tool "none".',
      'patchbay.fallback.t: "new:t" cannot be used: a tool cannot be its own fallback.',
    ]);
  });

  it('[PB-PROC-1] say that a container may outlive its server', () => {
    const containers = (command: string, args: readonly string[]) =>
      warned('a', { target: { ok: true, value: { kind: 'stdio', command, args, env: {} } } });
    expect(containers('docker', ['run', '-i', 'image'])).toEqual([]);
    expect(containers('docker', ['exec', '-i', 'c', 'server'])).toEqual([
      expect.stringContaining('may keep running after the server has stopped'),
    ]);
    expect(containers('wsl', ['sh', '-c', 'docker run -i image'])).toEqual([
      expect.stringContaining('cannot tell which container'),
    ]);
  });
});

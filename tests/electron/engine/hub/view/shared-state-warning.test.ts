import { describe, expect, it } from 'vitest';
import { sharedStateWarning } from '../../../../../electron/engine/hub/view/shared-state-warning.ts';
import { configured } from '../../../../helper/configured.ts';

const warned = (args: readonly string[], serverName = 'mcp', clients = 2, isolation = 'shared' as const) => {
  const [command = '', ...rest] = args;
  const target = { ok: true, value: { kind: 'stdio', command, args: rest, env: {} } } as const;
  return (
    sharedStateWarning(configured('s', { target, isolation }), { name: serverName }, clients) !== undefined
  );
};

describe('a server with state for a single client', () => {
  it('[PB-ISO-1] causes a warning with a fix when two clients share it', () => {
    const target = {
      ok: true,
      value: { kind: 'stdio', command: 'npx', args: ['-y', '@playwright/mcp@latest'], env: {} },
    } as const;
    expect(sharedStateWarning(configured('pw', { target }), undefined, 2)).toMatchObject({
      code: 'server.stateful_shared',
      sentence: expect.stringContaining('2 clients share pw, which keeps one browser'),
      fix: expect.stringContaining('patchbay.isolation to "per-client"'),
    });
    expect(sharedStateWarning(configured('pw', { target }), undefined, 1)).toBeUndefined();
    expect(
      sharedStateWarning(configured('pw', { target, isolation: 'per-client' }), undefined, 3),
    ).toBeUndefined();
  });

  it.each([
    [['npx', '-y', 'puppeteer-mcp-server']],
    [['npx', 'chrome-devtools-mcp@1.2.0', '--headless']],
    [['uvx', 'browser-use[cli]', '--mcp']],
    [['uvx', '--from', 'git+https://github.com/oraios/serena', 'serena']],
    [['docker', 'run', '-i', '--rm', 'mcp/playwright']],
    [['node', '/home/me/node_modules/@modelcontextprotocol/server-sequential-thinking/dist/index.js']],
    [['C:\\tools\\desktop-commander.cmd']],
  ])('is known by what is run: %j', (args) => {
    expect(warned(args)).toBe(true);
  });

  it('is recognised by its own name', () => {
    expect(warned(['/opt/x'], 'Playwright')).toBe(true);
  });

  it.each([
    [['npx', '-y', '@modelcontextprotocol/server-filesystem', '/home/me/playwright-tests']],
    [['node', '/home/me/terminal/server.js']],
    [['npx', '-y', '@modelcontextprotocol/server-memory']],
    [['uvx', 'mcp-server-git', '--repository', 'serena']],
  ])('is not taken for one by a folder or an argument: %j', (args) => {
    expect(warned(args)).toBe(false);
  });
});

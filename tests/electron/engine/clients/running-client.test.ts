import { describe, expect, it } from 'vitest';
import { runningClients } from '../../../../electron/engine/clients/running/running-client.ts';
import { clientTable } from '../../../../electron/engine/clients/table/client-table.ts';

const rowOf = (id: string) => {
  const found = clientTable.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no client ${id}`);
  return found;
};
const running = (id: string, platform: NodeJS.Platform, names: readonly string[]) =>
  runningClients(
    rowOf(id),
    platform,
    names.map((name, index) => ({ pid: index + 10, parent: 1, names: [name] })),
  ).map(({ name }) => name);

describe('whether a client runs', () => {
  it('[PB-CLIENT-1] Claude Desktop is distinguished from Claude Code, which has the same name', () => {
    expect(
      running('claude-desktop', 'darwin', [
        '/Applications/Claude.app/Contents/MacOS/Claude',
        '/Users/ada/.local/bin/claude',
        '/Applications/Claude Other.app/Contents/MacOS/Other',
      ]),
    ).toEqual(['Claude']);
    expect(
      running('claude-desktop', 'win32', [
        'C:\\Users\\Ada\\AppData\\Local\\AnthropicClaude\\app-1.2.3\\claude.exe',
        'C:\\Program Files\\WindowsApps\\Claude_1.9_x64__pzs8sxrjxfjjc\\app\\Claude.exe',
        'C:\\Users\\Ada\\.local\\bin\\claude.exe',
      ]),
    ).toEqual(['claude.exe', 'Claude.exe']);
    expect(
      running('claude-desktop', 'linux', [
        '/usr/lib/claude-desktop/claude-desktop',
        '/home/ada/.local/bin/claude',
      ]),
    ).toEqual(['claude-desktop']);
  });

  it('[PB-CLIENT-1] only its first process is asked to quit, not its children', () => {
    const name = '/usr/lib/claude-desktop/claude-desktop';
    const listed = [
      { pid: 10, parent: 1, names: [name] },
      { pid: 11, parent: 10, names: [name] },
      { pid: 12, parent: 11, names: [name] },
    ];
    expect(runningClients(rowOf('claude-desktop'), 'linux', listed).map(({ pid }) => pid)).toEqual([10]);
  });

  it('[PB-CLIENT-1] a client without a name to look for is not seen', () => {
    expect(running('codex', 'linux', ['/usr/bin/codex'])).toEqual([]);
  });
});

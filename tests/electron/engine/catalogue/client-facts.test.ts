import { describe, expect, it } from 'vitest';
import { chooseProfile } from '../../../../electron/engine/catalogue/client-facts.ts';
import { wireName } from '../../../../electron/engine/catalogue/wire-name.ts';

/** The budget is the client's limit without the prefix it adds to a server called `patchbay`. */
const clients = [
  ['claude-ai', 64, false],
  ['claude-code', 64 - 'mcp__patchbay__'.length, true],
  ['cursor-vscode', 59 - 'patchbay'.length, false],
  ['Visual Studio Code', 64 - 18, true],
  ['Visual Studio Code - Insiders', 64 - 18, true],
  ['github-copilot-developer', 46, false],
  ['JetBrains-IU-copilot-intellij', 46, false],
  ['Windsurf', 46, false],
  ['windsurf-client', 46, false],
  ['Zed', 64 - 'patchbay_'.length, false],
  ['Cline', 64 - 'patchbay__'.length, true],
  ['Roo Code', 64 - 'mcp--patchbay--'.length, false],
  ['codex-mcp-client', 64 - 'mcp__patchbay__'.length, true],
  ['gemini-cli-mcp-client', 63 - 'mcp_patchbay_'.length, true],
  ['goose', 64 - 'patchbay__'.length, false],
  ['continue-client', 64 - 'patchbay_'.length, false],
  ['continue-cli-client', 64 - 'patchbay_'.length, false],
  ['Cherry Studio', 63 - 'mcp__patchbay__'.length, true],
  ['ChatGPT', 64, false],
] as const;

describe('chooseProfile', () => {
  it.each(clients)('[PB-NAMES-1] knows %s: %i characters', (clientName, budget, takesColon) => {
    const hub = chooseProfile({ clientName, programDefault: 'safe' });
    expect(hub).toMatchObject({ style: 'safe', budget });
    const long = wireName('safe', hub.budget, 'server', 'x'.repeat(90));
    expect(long).toHaveLength(budget);
    expect(long).toMatch(hub.pattern);

    const command = chooseProfile({ clientName, programDefault: 'colon' });
    expect(command.style).toBe(takesColon ? 'colon' : 'safe');
    expect(wireName(command.style, command.budget, 'my server', 'a.b')).toMatch(command.pattern);
  });

  it('[PB-NAMES-1] holds Claude Desktop to its own rule, and knows that it keeps its first list', () => {
    const { pattern, honoursListChanged } = chooseProfile({
      clientName: 'claude-ai',
      programDefault: 'colon',
    });
    expect(pattern.source).toBe('^[a-zA-Z0-9_-]{1,64}$');
    expect(honoursListChanged).toBe(false);
  });

  it.each([
    ['the style asked for', { asked: 'dot', clientName: 'claude-code', programDefault: 'safe' }, 'dot'],
    ['the default where nothing is asked', { clientName: 'claude-code', programDefault: 'colon' }, 'colon'],
    ['the default for an unknown client', { clientName: 'my-agent', programDefault: 'colon' }, 'colon'],
    ['the style asked for an unknown client', { asked: 'colon', programDefault: 'safe' }, 'colon'],
    [
      'safe where the asked style would be refused',
      { asked: 'colon', clientName: 'claude-ai', programDefault: 'safe' },
      'safe',
    ],
    [
      'safe where asked and default would be',
      { asked: 'dot', clientName: 'claude-ai', programDefault: 'colon' },
      'safe',
    ],
    [
      'raw names where asked, to be checked one by one',
      { asked: 'raw', clientName: 'claude-ai', programDefault: 'safe' },
      'raw',
    ],
    ['the row whatever the case', { clientName: 'CLAUDE-AI', programDefault: 'colon' }, 'safe'],
    [
      'the row behind mcp-remote',
      { clientName: 'claude-ai (via mcp-remote 0.1.29)', programDefault: 'colon' },
      'safe',
    ],
  ] as const)('[PB-NAMES-1] takes %s', (_what, wish, style) => {
    expect(chooseProfile(wish).style).toBe(style);
  });

  it('leaves an unknown client room for a prefix of its own', () => {
    expect(chooseProfile({ programDefault: 'safe' })).toMatchObject({ budget: 46, honoursListChanged: true });
  });

  it.each([
    ['cursor-vscode', 40],
    ['Visual Studio Code', 128],
    ['Windsurf', 100],
    ['Roo Code', 60],
    ['goose', 25],
  ])('knows that %s has trouble above %i tools', (clientName, toolCap) => {
    expect(chooseProfile({ clientName, programDefault: 'safe' }).toolCap).toBe(toolCap);
  });
});

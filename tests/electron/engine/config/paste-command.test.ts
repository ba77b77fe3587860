import { describe, expect, it } from 'vitest';
import { expandContext } from '../../../../electron/engine/config/expand-entry.ts';
import { parsePaste } from '../../../../electron/engine/config/paste.ts';
import { commandsAsJson } from '../../../../electron/engine/config/paste-command.ts';

const everything = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] };

describe('what instructions have people type', () => {
  it.each([
    ['npx -y @modelcontextprotocol/server-everything', [everything]],
    ['```sh\n$ npx -y \\\n  @modelcontextprotocol/server-everything\n```', [everything]],
    ['API_KEY="a b" uvx weather', [{ command: 'uvx', args: ['weather'], env: { API_KEY: 'a b' } }]],
    ['https://mcp.example.com/mcp', [{ url: 'https://mcp.example.com/mcp' }]],
    [
      'First run this:\nclaude mcp add -s user -e KEY=v=1 all -- npx -y @modelcontextprotocol/server-everything\nThen restart.',
      [{ name: 'all', ...everything, env: { KEY: 'v=1' } }],
    ],
    [
      'claude mcp add --transport=http web https://x.example/mcp --header "Authorization: Bearer T"',
      [{ name: 'web', type: 'http', url: 'https://x.example/mcp', headers: { Authorization: 'Bearer T' } }],
    ],
    [
      'claude mcp add --transport sse --header "Authorization: Bearer T" web https://x.example/sse',
      [{ name: 'web', type: 'sse', url: 'https://x.example/sse', headers: { Authorization: 'Bearer T' } }],
    ],
    ['codex mcp add all -- npx -y @modelcontextprotocol/server-everything', [{ name: 'all', ...everything }]],
  ])('%j is understood', (text, entries) => {
    expect(JSON.parse(commandsAsJson(text) ?? 'null')).toEqual(entries);
  });

  it.each([
    '',
    'hello',
    'See https://example.com for more.',
    'npm install\nnpx -y weather',
    'claude mcp list',
  ])('%j is none', (text) => {
    expect(commandsAsJson(text)).toBeUndefined();
  });

  it('is read as any other paste', () => {
    const context = expandContext('/data/mcp.json', {}, 'linux');
    const preview = parsePaste('claude mcp add all -- npx -y weather', new Set(), context);
    expect(preview).toMatchObject({
      kind: 'entries',
      entries: [{ key: 'all', entry: { command: 'npx', args: ['-y', 'weather'] } }],
    });
  });
});

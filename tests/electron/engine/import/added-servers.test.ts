// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in commands look like this.
import { describe, expect, it } from 'vitest';
import { addedServers } from '../../../../electron/engine/import/text/prose/typed-servers.ts';

const header = { 'X-Region': 'eu' };

describe('a command of a client', () => {
  it.each([
    ['claude mcp add --transport http pond <YOUR_MCP_URL>', { type: 'http', url: '<YOUR_MCP_URL>' }],
    ['claude mcp add pond YOUR_MCP_URL -t sse', { type: 'sse', url: 'YOUR_MCP_URL' }],
    ['claude mcp add --transport=http pond {{ADDRESS}}', { type: 'http', url: '{{ADDRESS}}' }],
    [
      'copilot mcp add pond "<POND MCP URL>" --header "X-Region=eu"',
      { url: '<POND MCP URL>', headers: header },
    ],
    [
      'claude mcp add pond "<YOUR-MCP-URL>" --header "X-Region: eu"',
      { url: '<YOUR-MCP-URL>', headers: header },
    ],
    [
      'claude mcp add -t http pond "${POND_URL}/mcp" -H "X-Region: eu"',
      { type: 'http', url: '${POND_URL}/mcp', headers: header },
    ],
  ])('[PB-CLIENT-2] has the address that is to be filled in: %s', (text, entry) => {
    expect(addedServers(text, [])).toEqual([{ name: 'pond', entry }]);
  });

  it.each([
    ['claude mcp add pond -- <path to pond>', { command: '<path to pond>', args: [] }],
    ['gemini mcp add pond npx -y pond-mcp', { command: 'npx', args: ['-y', 'pond-mcp'] }],
    ['claude mcp add pond $POND_PROGRAM --stdio', { command: '$POND_PROGRAM', args: ['--stdio'] }],
  ])('[PB-CLIENT-2] has a program where nothing speaks of an address: %s', (text, entry) => {
    expect(addedServers(text, [])).toEqual([{ name: 'pond', entry }]);
  });
});

import { describe, expect, it } from 'vitest';
import { handshakeTimeout } from '../../../../../../electron/engine/servers/lifecycle/diagnosis/failure-problems.ts';

describe('a server that says nothing while it starts', () => {
  it.each([
    ['npx -y some-mcp', [], 'npx may still be downloading the package.'],
    ['node server.js', [], 'Check that the command starts an MCP server over stdio.'],
    ['npx -y some-mcp', ['ready'], 'Check that the command starts an MCP server over stdio.'],
  ])('gets a fix that says what to check: %s with stderr %j', (command, stderr, fix) => {
    const found = handshakeTimeout({ command, stderr, stdout: [] }, 60_000);
    expect(found.fix).toContain(fix);
  });
});

import { expect, it } from 'vitest';
import { startingText } from '../../../../shared/model/server/starting.ts';

it.each([
  ['npx -y @acme/server --port 1', undefined, 'npx is downloading or starting @acme/server'],
  ['/usr/bin/uvx mcp-acme', undefined, 'uvx is downloading or starting mcp-acme'],
  ['docker run -i --rm acme/mcp', undefined, 'Docker is downloading or starting acme/mcp'],
  ['node server.js', undefined, 'no output yet'],
  [
    'npx -y @acme/server',
    'npm error A complete log of this run can be found',
    'npx is downloading or starting @acme/server',
  ],
  ['node server.js', 'Loading model, please wait…', 'Loading model, please wait…'],
  [
    'npx -y @acme/server',
    'npm warn exec The following package was not found and will be installed: @acme/server@1.2.0',
    'npm is downloading @acme/server@1.2.0',
  ],
  [
    'docker run -i acme/mcp',
    "Unable to find image 'acme/mcp:latest' locally",
    'Docker is downloading acme/mcp:latest',
  ],
])('[US1.6] a start of %s that prints %s is reported as it proceeds', (target, line, text) => {
  const starting = line === undefined ? {} : { line };
  expect(startingText({ target, transport: 'stdio', starting })).toBe(text);
});

it('a remote server that starts is waited for', () => {
  expect(startingText({ target: 'https://a.example/mcp', transport: 'http', starting: {} })).toBe(
    'waiting for its first response',
  );
});

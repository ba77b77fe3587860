import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { networkError } from '../../../../../electron/engine/transport/http-client/network-error.ts';
import type { Problem } from '../../../../../shared/error/problem.ts';
import { ProblemError } from '../../../../../shared/error/problem.ts';
import { httpServer } from '../../../../helper/http-server.ts';
import { remotePeer } from '../../../../helper/remote-peer.ts';

function problemOfCode(code: string, address = 'https://mcp.acme.example/mcp'): Problem {
  const error = Object.assign(new Error('fetch failed'), { cause: Object.assign(new Error(), { code }) });
  const { cause } = networkError(new URL(address), error);
  if (!(cause instanceof ProblemError)) throw new Error('no problem');
  return cause.problem;
}

async function greetingProblem(url: string): Promise<Problem> {
  await using near = await remotePeer(url, {});
  const error = await near.peer.request('initialize').result.catch((failure: unknown) => failure);
  const problems = [error, error instanceof Error ? error.cause : undefined].filter(
    (one) => one instanceof ProblemError,
  );
  return (problems[0] as ProblemError).problem;
}

describe('[US1.6] an address that does not answer', () => {
  it.each([
    ['ENOTFOUND', 'mcp.acme.example was not found. Are you online?', 'host_not_found'],
    ['EAI_AGAIN', 'mcp.acme.example was not found. Are you online?', 'host_not_found'],
    ['ECONNREFUSED', 'Nothing is listening on mcp.acme.example:443.', 'connection_refused'],
    ['CERT_HAS_EXPIRED', 'The certificate of mcp.acme.example has expired.', 'certificate'],
    [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'The certificate of mcp.acme.example is self-signed, so this computer does not trust it.',
      'certificate',
    ],
    ['UND_ERR_CONNECT_TIMEOUT', 'mcp.acme.example did not answer in time.', undefined],
    ['EHOSTUNREACH', 'mcp.acme.example cannot be reached.', undefined],
    [
      'HPE_INVALID_HEADER_TOKEN',
      'mcp.acme.example does not follow the HTTP standard, so Patchbay cannot read its answer.',
      undefined,
    ],
    [
      'UND_ERR_HEADERS_OVERFLOW',
      'mcp.acme.example sends too many headers, so Patchbay cannot read its answer.',
      undefined,
    ],
    ['ECONNRESET', 'The server closed the connection without an answer.', undefined],
  ])('is reported with its cause: %s', (code, sentence, cause) => {
    const problem = problemOfCode(code);
    expect([problem.sentence, problem.cause?.code]).toEqual([sentence, cause]);
    expect(problem.evidence).toContainEqual({ label: 'error', value: code });
  });

  it.each(['gzip', 'deflate', 'br'])('is one that names a compression it does not use (%s)', async (name) => {
    await using server = await httpServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': name });
      response.end('{"jsonrpc":"2.0","id":1,"result":{}}');
    });
    const { sentence } = await greetingProblem(server.url);
    expect(sentence).toBe(
      '127.0.0.1 declares a compression that its answer does not use, so Patchbay cannot read its answer.',
    );
  });

  it('is one where nothing is listening', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const { sentence } = await greetingProblem(`http://127.0.0.1:${port}/mcp`);
    expect(sentence).toBe(`Nothing is listening on 127.0.0.1:${port}.`);
  });

  it('is one that no HTTP client connects to, which only its config can mend', async () => {
    const problem = await greetingProblem('http://127.0.0.1:6000/mcp');
    expect(problem.code).toBe('config.invalid_schema');
    expect(problem.sentence).toContain('never connect to port 6000');
    expect(problem.fix).toBe('Run the server on another port, and change the address in the config.');
  });

  it.each([
    [200, 200],
    [404, 404],
    [405, 200],
  ])('is a web page, whatever it says to a POST (HTTP %s) and a GET (HTTP %s)', async (post, get) => {
    await using server = await httpServer((request, response) => {
      response.writeHead(request.method === 'GET' ? get : post, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>Acme plants</title>');
    });
    const { sentence, cause } = await greetingProblem(server.url);
    expect(sentence).toMatch(/^This address doesn't respond like an MCP server \(it returned a web page/);
    expect(cause?.code).toBe('web_page');
  });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import * as room from '../../../../../electron/engine/search/search-module.ts';
import { tryProvider } from '../../../../../electron/engine/search/service/try-provider.ts';

/** An OpenAI-compatible endpoint that checks the key and records requests. */
async function provider() {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    if (request.headers.authorization !== 'Bearer right') response.statusCode = 401;
    response.end(
      JSON.stringify(
        request.url?.endsWith('/embeddings')
          ? { data: [{ embedding: [1, 0] }] }
          : { choices: [{ message: { content: '{"ok":true}' } }] },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    bodies,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const sourcesWith = (key: string) => ({
  secret: () => key,
  askClient: () => Promise.reject(new Error('nobody is there')),
});

it('[AG-US3-AC1] [NFR-SEC3] a provider is sent one request without any tool, and its refusal is reported', async () => {
  await using at = await provider();
  const source = { kind: 'openai', url: at.url, model: 'm', secret: 'KEY' } as const;
  for (const part of ['classifier', 'meaning'] as const) {
    await tryProvider(room, { part, source }, sourcesWith('right'));
    await expect(tryProvider(room, { part, source }, sourcesWith('wrong'))).rejects.toMatchObject({
      problem: { code: 'search.provider_failed' },
    });
  }
  expect(at.bodies).toHaveLength(4);
  expect(at.bodies.join()).not.toContain('tools');
});

it('[AG-US3-AC1] built-in rules need no test, and a missing client is reported', async () => {
  await tryProvider(room, { part: 'classifier', source: { kind: 'rules' } }, sourcesWith(''));
  await tryProvider(room, { part: 'meaning', source: { kind: 'off' } }, sourcesWith(''));
  const sampling = { part: 'classifier', source: { kind: 'sampling' } } as const;
  await expect(tryProvider(room, sampling, sourcesWith(''))).rejects.toThrow('nobody');
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import type { SearchDocument, ToolClassification } from '../../../../electron/engine/search/contract.ts';
import { documentsOf } from '../../../../electron/engine/search/index/documents.ts';
import {
  type Embedder,
  ollamaEmbedder,
  openAiEmbedder,
} from '../../../../electron/engine/search/meaning/embedder.ts';
import { SemanticIndex } from '../../../../electron/engine/search/meaning/semantic-index.ts';
import * as room from '../../../../electron/engine/search/search-module.ts';
import { SemanticSearch } from '../../../../electron/engine/search/service/semantic-search.ts';
import { serverOf } from '../../../helper/catalogue.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { indexOf } from '../../../helper/search.ts';

const server = serverOf('zoo', {
  tools: [
    { name: 'feline', description: 'cat' },
    { name: 'canine', description: 'dog' },
  ],
});
const documents = documentsOf(server, true);
const knowing = (id: string): ToolClassification => ({
  isClassified: true,
  skills: [{ id, confidence: 1 }],
  primarySkill: id,
  keywords: [],
});

/** Vectors of cats point one way, those of dogs another. */
function embedder() {
  const asked: string[] = [];
  const made: Embedder = {
    tag: 'toy',
    embed: async (texts) => {
      asked.push(...texts);
      return texts.map((text) => Float32Array.from(/cat|kitten/.test(text) ? [1, 0] : [0, 1]));
    },
  };
  return { made, asked };
}

function keeper() {
  const kept = new Map<string, Float32Array>();
  return {
    kept,
    vectors: async (_model: string, digests: readonly string[]) =>
      new Map(
        digests.flatMap((one) => (kept.has(one) ? [[one, kept.get(one) as Float32Array] as const] : [])),
      ),
    saveVectors: async (_model: string, vectors: ReadonlyMap<string, Float32Array>) => {
      for (const [digest, vector] of vectors) kept.set(digest, vector);
    },
  };
}

it('finds tools without any word of the query by meaning, along with keyword matches', async () => {
  const meaning = new SemanticIndex({
    embedder: embedder().made,
    keeper: keeper(),
    knowledgeOf: () => undefined,
  });
  await meaning.learn(documents);
  const nearness = await meaning.similarityTo('kitten');
  const { hits } = indexOf([server]).search(
    { query: 'kitten', limit: 5 },
    {
      isConnected: () => true,
      meaning: (one: SearchDocument) => nearness(documents.find(({ name }) => name === one.name) ?? one),
    },
  );
  expect(hits.map(({ name }) => name)).toEqual(['feline']);
});

it('[AG-US2-AC1] a model with high similarities everywhere finds only documents above its average', async () => {
  const many = documentsOf(
    serverOf('zoo', {
      tools: Array.from({ length: 40 }, (_, at) => ({
        name: `beast${at}`,
        description: at === 7 ? 'cat' : `n${at}`,
      })),
    }),
    true,
  );
  // All vectors are within 40 degrees of each other, as with E5.
  const narrow: Embedder = {
    tag: 'narrow',
    embed: async (texts) =>
      texts.map((text) => Float32Array.from(/cat|kitten/.test(text) ? [0.94, 0.34] : [0.94, -0.34])),
  };
  const meaning = new SemanticIndex({ embedder: narrow, keeper: keeper(), knowledgeOf: () => undefined });
  await meaning.learn(many);
  const nearness = await meaning.similarityTo('kitten');
  const index = indexOf([]);
  index.set('zoo', many);
  const { hits } = index.search(
    { query: 'kitten', limit: 50 },
    { isConnected: () => true, meaning: nearness },
  );
  expect(hits.map(({ name }) => name)).toEqual(['beast7']);
});

it('embeds each text once, across restarts', async () => {
  const kept = keeper();
  const first = embedder();
  const options = { keeper: kept, knowledgeOf: () => undefined };
  await new SemanticIndex({ ...options, embedder: first.made }).learn(documents);
  expect(first.asked).toHaveLength(2);
  const second = embedder();
  await new SemanticIndex({ ...options, embedder: second.made }).learn(documents);
  expect(second.asked).toEqual([]);
});

it('[AG-US3-AC5] the vector of a skill follows its tools', async () => {
  let skillOf: (name: string) => string = () => 'animals';
  const knowledgeOf = (_key: string, name: string) => knowing(skillOf(name));
  const meaning = new SemanticIndex({ embedder: embedder().made, keeper: keeper(), knowledgeOf });
  await meaning.learn(documents);
  const half = Math.SQRT1_2;
  const vectorOf = (id: string) => [...(meaning.skillVectors().get(id) ?? [])];
  expect(vectorOf('animals')[0]).toBeCloseTo(half);
  skillOf = (name) => (name === 'feline' ? 'cats' : 'animals');
  meaning.skillsChanged();
  expect(vectorOf('cats')).toEqual([1, 0]);
  expect(vectorOf('animals')).toEqual([0, 1]);
});

it('[AG-US6-AC7] the vector of a skill is recomputed without the tools of a server that was removed', async () => {
  const kennel = documentsOf(serverOf('kennel', { tools: [{ name: 'puppy', description: 'dog' }] }), true);
  const house = documentsOf(serverOf('house', { tools: [{ name: 'tabby', description: 'cat' }] }), true);
  const knowledgeOf = () => knowing('animals');
  const meaning = new SemanticIndex({ embedder: embedder().made, keeper: keeper(), knowledgeOf });
  await meaning.learn([...kennel, ...house]);
  const vector = () => [...(meaning.skillVectors().get('animals') ?? [])];
  expect(vector()[0]).toBeCloseTo(Math.SQRT1_2);
  await meaning.learn(kennel);
  expect(vector()).toEqual([0, 1]);
});

const answering = async (answer: (body: string) => string | undefined) => {
  const http = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const text = answer(body);
      if (text !== undefined) response.end(text);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
};

it("understands OpenAI's form and Ollama's, and makes vectors of one length", async () => {
  await using openAi = await answering(() => '{"data":[{"embedding":[3,4]}]}');
  await using ollama = await answering(() => '{"embeddings":[[0,5]]}');
  const at = (url: string) => ({ url, model: 'm', key: () => undefined });
  const [one] = await openAiEmbedder(at(openAi.url)).embed(['a'], 5_000);
  const [other] = await ollamaEmbedder(at(ollama.url)).embed(['a'], 5_000);
  expect([...(one ?? [])].map((value) => value.toFixed(1))).toEqual(['0.6', '0.8']);
  expect([...(other ?? [])]).toEqual([0, 1]);
});

it.each<[string, () => string | undefined]>([
  ['hangs', () => undefined],
  ['gives too few', () => '{"data":[]}'],
  ['gives no numbers', () => '{"data":[{"embedding":["x"]}]}'],
])(
  'a provider that %s does not break search: keywords are used, and the provider is skipped for a while',
  async (_, answer) => {
    let asked = 0;
    await using http = await answering(() => {
      asked += 1;
      return answer();
    });
    const clock = new FakeClock();
    const failures: unknown[] = [];
    const meaning = new SemanticSearch({
      clock,
      keeper: keeper(),
      secret: () => undefined,
      report: (one) => failures.push(one),
    });
    const source = { kind: 'openai', url: http.url, model: 'm' } as const;
    const ask = () =>
      meaning.ask(
        room,
        source,
        'kitten',
        () => [],
        () => undefined,
      );
    expect(await ask()).toEqual({ kind: 'failed' });
    expect(await ask()).toEqual({ kind: 'failed' });
    expect(asked).toBe(1);
    expect(failures).toMatchObject([{ problem: { code: 'search.provider_failed' } }]);
  },
);

it('is off by default', async () => {
  const options = { clock: new FakeClock(), keeper: keeper(), secret: () => undefined, report: () => {} };
  const off = new SemanticSearch(options);
  expect(
    await off.ask(
      room,
      { kind: 'off' },
      'x',
      () => documents,
      () => undefined,
    ),
  ).toEqual({ kind: 'off' });
});

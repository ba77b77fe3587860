import { z } from 'zod';
import type { Finder } from './module-search.ts';

const resultSchema = z.object({
  tools: z.array(
    z.object({
      original_name: z.string(),
      source_server: z.object({ name: z.string() }),
      is_classified: z.boolean(),
    }),
  ),
  metadata: z.object({ total_tools_searched: z.number() }),
});

export interface RestOptions {
  /** URL of the hub, without a path. */
  readonly url: string;
  readonly token: string;
}

/** The search of a running hub, as an agent asks it. */
export function restSearch(options: RestOptions): Finder {
  return async (query) => {
    const { tools } = await ask(options, query, 10);
    return tools.map(({ original_name, source_server }) => `${source_server.name}:${original_name}`);
  };
}

/** Resolves when the hub has so many tools and has classified what it finds; rejects when that takes too long. */
export async function hubKnows(options: RestOptions, count: number): Promise<void> {
  const end = Date.now() + patience;
  while (Date.now() < end) {
    const { tools, metadata } = await ask(options, 'list get create search update', 200);
    if (metadata.total_tools_searched >= count && tools.every((one) => one.is_classified)) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`the hub does not have ${count} classified tools after ${patience / 1_000} s`);
}

const patience = 90_000;

async function ask({ url, token }: RestOptions, query: string, limit: number) {
  const response = await fetch(new URL('/api/v1/search', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: query.slice(0, 10_000), limit }),
  });
  if (!response.ok) throw new Error(`the hub answered ${response.status}: ${await response.text()}`);
  return resultSchema.parse(await response.json());
}

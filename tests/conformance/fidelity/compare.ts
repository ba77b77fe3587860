import { expect } from 'vitest';
import { canonical, elementsOf, memberOf } from './fixture/raw-json.mjs';
import type { Asked } from './on-path.ts';
import { outcomeOf } from './raw-client.ts';

export function call({ open, client }: Asked, tool: string, args = '{}'): Promise<string> {
  return client.call(open.told(tool), args);
}

/** Result or error of an answer, with the name of the member. */
export async function payloadOf(answer: Promise<string>): Promise<string> {
  const [member, payload] = outcomeOf(await answer);
  return `{"${member}":${payload}}`;
}

export function paramsOf(message: string): string {
  return memberOf(message, 'params') ?? '{}';
}

const lists = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
} as const;

/** The items of all pages of a list. */
export async function listOf({ client }: Asked, field: keyof typeof lists): Promise<readonly string[]> {
  const items: string[] = [];
  let cursor: string | undefined;
  do {
    const answer = await client.ask(lists[field], cursor === undefined ? undefined : `{"cursor":${cursor}}`);
    const result = memberOf(answer, 'result') ?? '{}';
    items.push(...elementsOf(memberOf(result, field) ?? '[]'));
    cursor = memberOf(result, 'nextCursor');
  } while (cursor !== undefined);
  return items;
}

export function expectSame(level: 'value' | 'bytes', expected: string, got: string): void {
  if (got === expected) return;
  if (level === 'bytes') expect(got).toBe(expected);
  else expect(canonical(got)).toBe(canonical(expected));
}

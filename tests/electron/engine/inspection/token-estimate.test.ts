import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { estimateTools } from '../../../../electron/engine/inspection/token-estimate.ts';
import { readTools } from '../../../eval/lib/read-data.ts';

/** Tools as servers write them, with a type and a few words for each parameter. */
const tools = readTools(join(import.meta.dirname, '../../../eval/data/own')).map(({ item }) => {
  const { properties } = item.inputSchema as { readonly properties: Readonly<Record<string, unknown>> };
  const described = Object.keys(properties).map((name) => [
    name,
    { type: 'string', description: `The ${name.replaceAll('_', ' ')} to use` },
  ]);
  return { ...item, inputSchema: { type: 'object', properties: Object.fromEntries(described) } };
});

it('estimates a list of tools within 5 % of what a GPT model counts, and nearly every tool within 15 %', () => {
  const estimates = estimateTools(tools);
  const counts = tools.map(({ name, description, inputSchema }: Readonly<Record<string, unknown>>) =>
    countTokens(JSON.stringify({ name, description, input_schema: inputSchema })),
  );
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  expect(Math.abs(sum(estimates) / sum(counts) - 1)).toBeLessThan(0.05);
  const far = estimates.filter((estimate, index) => Math.abs(estimate / (counts[index] ?? 0) - 1) > 0.15);
  expect(far.length).toBeLessThan(tools.length * 0.02);
});

it('estimates what clients pass to their model, and leaves out the rest', () => {
  const tool = { name: 'read', description: 'Reads a file', inputSchema: { type: 'object' } };
  const [plain, annotated] = estimateTools([tool, { ...tool, annotations: { readOnlyHint: true } }]);
  expect(annotated).toBe(plain);
  expect(plain).toBeGreaterThan(10);
});

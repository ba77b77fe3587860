import { expect, it } from 'vitest';
import { compactVerdict } from '../../../../renderer/feature/clients/compact/compact-verdict.ts';
import { compactWorth, isWorthwhile } from '../../../../shared/model/client/compact-worth.ts';

/** Typical sizes: a few hundred tokens for the short list, about sixty per tool. */
const weightOf = (tools: number) => ({ whole: tools * 60 + 240, short: 240, perTool: 250 });
const verdict = (tools: number, toolCap?: number) =>
  compactVerdict({ toolCap, compact: { tools } }, weightOf(tools));

it('[PB-SMART-1] says what compact mode saves for a conversation, and what a lookup costs', () => {
  const weight = { whole: 60_400, short: 400, perTool: 600 };
  const { pays, sentence } = compactVerdict({ compact: { tools: 500 } }, weight);
  expect(pays).toBe(true);
  expect(sentence).toContain('Saves about 60,000 tokens per conversation');
  expect(sentence).toContain('costs about 600 tokens');
});

it('[PB-SMART-1] says when it does not pay off', () => {
  const few = compactVerdict({ compact: { tools: 20 } }, { whole: 1_600, short: 400, perTool: 700 });
  expect(few.pays).toBe(false);
  expect(few.sentence).toContain('below about 100 tools');
  expect(few.sentence).toContain('after one lookup');
  const tiny = compactVerdict({ compact: { tools: 2 } }, { whole: 300, short: 400, perTool: 700 });
  expect(tiny.sentence).toContain('Not worth it');
});

it.each([
  [20, undefined, 'costs'],
  [59, undefined, 'costs'],
  [100, undefined, 'saves'],
  [200, undefined, 'saves'],
  [500, undefined, 'saves'],
  [20, 40, 'costs'],
  [59, 40, 'over-cap'],
  [500, 40, 'over-cap'],
] as const)(
  '[PB-SMART-1] advice and verdict agree for %i tools where it can use %s',
  (tools, toolCap, worth) => {
    expect(compactWorth({ tools, toolCap })).toBe(worth);
    expect(verdict(tools, toolCap).pays).toBe(isWorthwhile(worth));
  },
);

it('[PB-SMART-1] never says that it does not pay off for a client that cannot use its whole list', () => {
  const { pays, sentence } = verdict(59, 40);
  expect(pays).toBe(true);
  expect(sentence).toContain('59 tools are more than the 40 this client can use');
  expect(sentence).not.toContain('Rarely worth it');
});

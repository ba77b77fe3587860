import { expect, it } from 'vitest';
import { compactVerdict } from '../../../../renderer/feature/clients/compact/compact-verdict.ts';

it('[PB-SMART-1] says what compact mode saves, and for how many tools that are looked up it pays', () => {
  const { pays, sentence } = compactVerdict(500, { whole: 60_400, short: 400, perTool: 600 });
  expect(pays).toBe(true);
  expect(sentence).toContain('saves 60,000 tokens');
  expect(sentence).toContain('no more than 100');
});

it('[PB-SMART-1] says honestly where it does not pay', () => {
  const few = compactVerdict(20, { whole: 1_600, short: 400, perTool: 700 });
  expect(few.pays).toBe(false);
  expect(few.sentence).toContain('fewer than about 100 tools');
  expect(few.sentence).toContain('after one');
  expect(compactVerdict(2, { whole: 300, short: 400, perTool: 700 }).sentence).toContain('does not pay');
});

import { describe, expect, it } from 'vitest';
import { beginning } from '../../../../electron/engine/tester/answers.ts';
import { RecentAnswers, TestHistory } from '../../../../electron/engine/tester/history.ts';

const target = (name: string) => ({ kind: 'tool', serverKey: 's', name }) as const;
const ran = {
  runId: 'r',
  outcome: 'ok',
  startedAt: 1,
  milliseconds: 2,
  text: '',
  whole: true,
  bytes: 2,
} as const;
const answer = (text: string) => ({ outcome: 'ok', bytes: Buffer.from(text) }) as const;

describe('the history of runs', () => {
  it('is truncated and masked, and drops the least recently used target first', () => {
    const history = new TestHistory((text) => text.replaceAll('secret', '•••'));
    history.add(target('first'), '{"a":"secret"}', answer(`{"b":"secret ${'x'.repeat(20_000)}"}`), ran);
    const [kept] = history.of(target('first'));
    expect(kept).toMatchObject({ arguments: '{"a":"•••"}', whole: false });
    expect(kept?.text.length).toBeLessThan(10_000);
    for (let count = 0; count < 199; count++) history.add(target(`t${count}`), '', answer('{}'), ran);
    history.add(target('first'), '', answer('{}'), ran);
    history.add(target('last'), '', answer('{}'), ran);
    expect(history.of(target('first'))).toHaveLength(2);
    expect(history.of(target('t0'))).toHaveLength(0);
  });

  it('has the latest answer completely, and earlier ones while they are small', () => {
    const answers = new RecentAnswers();
    answers.add('small', Buffer.from('a'));
    answers.add('large', Buffer.alloc(70_000_000, 'b'));
    expect(() => answers.of('small')).toThrow('no longer available');
    expect(answers.of('large')).toHaveLength(70_000_000);
    answers.add('next', Buffer.from('c'));
    expect(answers.of('next')).toBe('c');
    expect(() => answers.of('large')).toThrow('no longer available');
  });

  it('ends with a whole character', () => {
    const bytes = Buffer.from('aä€😀');
    for (let end = 0; end <= bytes.length; end++) expect(beginning(bytes, end)).not.toContain('\uFFFD');
    expect(beginning(bytes, 3)).toBe('aä');
  });
});

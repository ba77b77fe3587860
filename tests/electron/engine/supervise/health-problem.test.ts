import { describe, expect, it } from 'vitest';
import { issueProblem } from '../../../../electron/engine/supervise/health-problem.ts';

describe('the message about a busy server', () => {
  it.each([
    [1_500, '2 s'],
    [59_000, '59 s'],
    [70_000, 'a minute'],
    [150_000, '3 minutes'],
  ])('[ERR-1] shows %i ms as %s', (quietFor, lasting) => {
    expect(issueProblem('a', { kind: 'busy', silentMs: quietFor }).sentence).toBe(
      `a is working on a call and has not responded otherwise for ${lasting}.`,
    );
  });
});

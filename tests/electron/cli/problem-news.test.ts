import { describe, expect, it } from 'vitest';
import { createProblemTracker } from '../../../electron/cli/problem-news.ts';
import { problem } from '../../../shared/error/problem.ts';

const a = problem('config.invalid_json', 'A.', 'Mend it.');
const b = problem('config.invalid_json', 'B.', 'Mend it.');

describe('new problems', () => {
  it('[PB-CFG-1] are reported once each time they come up, and so is the recovery', () => {
    const news = createProblemTracker();
    expect(news('config', [a])).toEqual({ fresh: [a], isOver: false });
    expect(news('config', [a])).toEqual({ fresh: [], isOver: false });
    expect(news('config', [b])).toEqual({ fresh: [b], isOver: false });
    expect(news('config', [a])).toEqual({ fresh: [a], isOver: false });
    expect(news('config', [])).toEqual({ fresh: [], isOver: true });
    expect(news('config', [])).toEqual({ fresh: [], isOver: false });
    expect(news('config', [a])).toEqual({ fresh: [a], isOver: false });
    expect(news('other', [])).toEqual({ fresh: [], isOver: false });
  });

  it('are not repeated for every retry of a server that keeps failing', () => {
    const news = createProblemTracker();
    news('a', [a], true);
    expect(news('a', [], true)).toEqual({ fresh: [], isOver: false });
    expect(news('a', [a], true)).toEqual({ fresh: [], isOver: false });
    expect(news('a', [])).toEqual({ fresh: [], isOver: true });
  });
});

import { describe, expect, it } from 'vitest';
import { outcomeUnknown } from '../../../../electron/engine/route/error-map.ts';
import { problem } from '../../../../shared/error/problem.ts';

describe('a call without an answer', () => {
  const server = { key: 'far', state: { status: 'disabled', since: 0 } } as const;

  it('[US1.6] says what a server elsewhere did in place of answering, not that it ended', () => {
    const why = problem('server.unreachable', 'The server answered with an HTTP error.', 'Wait.', {
      status: 503,
    });
    const { message, data } = outcomeUnknown(server, 'tools/call', 1, why);
    expect(message).toBe(
      'The server far gave no answer to tools/call. The server answered with an HTTP error. Whether it took effect is not known.',
    );
    expect(data).toMatchObject({ evidence: expect.arrayContaining([{ label: 'status', value: '503' }]) });
  });

  it.each([
    ['busy', 'busy.'],
    ['busy.', 'busy.'],
    ['busy!', 'busy!'],
    ['Who are you?', 'Who are you?'],
    ['Loading…', 'Loading…'],
  ])('[US1.6] ends the words of a server once: %s', (words, shown) => {
    const why = problem('server.unreachable', words, 'Wait.');
    expect(outcomeUnknown(server, 'tools/call', 1, why).message).toBe(
      `The server far gave no answer to tools/call. ${shown} Whether it took effect is not known.`,
    );
  });

  it('[US1.6] says that a process ended', () => {
    expect(outcomeUnknown(server, 'tools/call', 2).message).toBe(
      'The server far ended while it worked on tools/call, 2 times in a row; whether it took effect is not known.',
    );
  });
});

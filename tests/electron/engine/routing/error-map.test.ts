import { describe, expect, it } from 'vitest';
import { callTimedOut, circuitOpen, outcomeUnknown } from '../../../../electron/engine/routing/error-map.ts';
import { problem } from '../../../../shared/error/problem.ts';

describe('a call without an answer', () => {
  const server = { key: 'far', state: { status: 'disabled', since: 0 } } as const;

  it('[US1.6] says what a remote server did instead of answering, not that it ended', () => {
    const why = problem('server.unreachable', 'The server answered with an HTTP error.', 'Wait.', {
      status: 503,
    });
    const { message, data } = outcomeUnknown(server, 'tools/call', 1, why);
    expect(message).toBe(
      'far did not answer this call. The server answered with an HTTP error. The call may or may not have taken effect.',
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
      `far did not answer this call. ${shown} The call may or may not have taken effect.`,
    );
  });

  it('[US1.6] says that a process ended', () => {
    expect(outcomeUnknown(server, 'tools/call', 2).message).toBe(
      'far stopped during this call 2 times in a row, so it may or may not have taken effect.',
    );
  });

  it('[US1.6] gives its limit in seconds, and says how long a tool is paused', () => {
    expect(callTimedOut('far', 'tools/call', 1_500).message).toBe(
      'far did not answer this call within its limit of 1.5 s and was asked to stop.',
    );
    expect(circuitOpen({ serverKey: 'far', name: 'act' }, 5, 60_000, 0).message).toBe(
      'far:act failed 5 times in a row, so Patchbay has paused it. Try again in 60 s.',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { initializeAfterExit } from '../../../../electron/engine/supervise/greeting-after-exit.ts';
import { hubInitializeParams } from '../../../../electron/engine/supervise/handshake.ts';

const own = hubInitializeParams('1');

describe('[NFR-R1] the second initialize for a program that quit over the first', () => {
  it.each([
    'Error: unknown field `extensions`, expected one of `experimental`, `roots`, `sampling` at line 1',
    "ZodError: Unrecognized key(s) in object: 'elicitation'",
    'json: unknown field "roots"',
    'Unrecognized field "form" (class ClientCapabilities$Elicitation), not marked as ignorable',
    'params.capabilities.extensions\n  Extra inputs are not permitted [type=extra_forbidden]',
  ])('is without capabilities after: %s', (words) => {
    const other = initializeAfterExit(['kite 2025-11-25 starts', ...words.split('\n')], own);
    expect(other?.initializeParams).toEqual({ ...own, capabilities: {} });
  });

  it.each([
    ['has an unknown option of its own', ['kite: unknown option "wind"']],
    ['names one of ours without a complaint', ['loading `extensions` from /srv/kite', 'Error: no database']],
    ['lacks a capability of the system', ['kite needs the capabilities of root']],
  ])('is none if the program %s', (_what, words) => {
    expect(initializeAfterExit(words, own)).toBeUndefined();
  });

  it('uses an older version if the output is about versions', () => {
    const other = initializeAfterExit(['unsupported protocol version 2025-11-25, want 2025-03-26'], own);
    expect(other?.initializeParams).toEqual({ ...own, protocolVersion: '2025-03-26' });
  });

  it('is none if there are no capabilities to leave out', () => {
    const bare = { ...own, capabilities: {} };
    expect(initializeAfterExit(['unknown field `extensions`'], bare)).toBeUndefined();
  });
});

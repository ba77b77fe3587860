import { describe, expect, it } from 'vitest';
import { missingSteps } from '../../../../renderer/feature/servers/first-steps/steps.ts';

const proof = { ok: true, at: 1 };

describe('the first steps', () => {
  it.each([
    ['nothing', 0, [], [], ['server now', 'client later', 'call later']],
    ['a server', 1, [], [{ status: 'found' as const }], ['client now', 'call later']],
    ['a client of which our entry is in the config', 1, [], [{ status: 'connected' as const }], ['call now']],
    ['a client that is here', 1, [{ calls: 0 }], [], ['call now']],
    ['a client before a server', 0, [{ calls: 0 }], [], ['server now', 'call later']],
    [
      'a proof that failed',
      1,
      [],
      [{ status: 'connected' as const, proof: { ...proof, ok: false } }],
      ['call now'],
    ],
    [
      'a proof of a list without tools',
      1,
      [],
      [{ status: 'connected' as const, proof: { ...proof, tools: 0 } }],
      ['call now'],
    ],
    ['a proof', 1, [], [{ status: 'connected' as const, proof }], []],
    ['a call', 1, [{ calls: 0 }, { calls: 1 }], [], []],
    ['a proof that outlived its servers', 0, [], [{ status: 'connected' as const, proof }], ['server now']],
  ])('[PB-APP-1] with %s', (_title, servers, clients, known, steps) => {
    expect(missingSteps({ servers, clients, known }).map(({ id, state }) => `${id} ${state}`)).toEqual(steps);
  });
});

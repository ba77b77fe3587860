import { describe, expect, it } from 'vitest';
import { runAccessCommand } from '../../../../electron/engine/access/access-commands.ts';
import { accessBench, memoryStore } from '../../../helper/access.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

async function unsavedBench() {
  const clock = new FakeClock();
  const store = { ...memoryStore().store, flush: async () => false };
  const { book: service, desk } = await accessBench(clock, { store });
  const saveAskDestructive = async () => {};
  return {
    service,
    approvals: desk,
    clock,
    newClients: 'everything' as const,
    saveAskDestructive,
    catalogue: () => undefined,
  };
}

const token = { verb: 'token', name: 'bot' } as const;

it('[REQ-MCP-AUTH-001] a name of the other kind is reported as such', async () => {
  const access = await unsavedBench();
  access.service.create({ kind: 'agent', name: 'bot' }, 'test');
  const asked = runAccessCommand(access, { verb: 'restore', name: 'bot', kind: 'client' });
  await expect(asked).rejects.toMatchObject({
    problem: { code: 'access.unknown_identity', sentence: 'No client is called "bot", but an agent is.' },
  });
});

describe('a token that could not be saved', () => {
  it('[REQ-MCP-AUTH-002] is returned by a running hub with a note, since it is shown only once', async () => {
    const access = await unsavedBench();
    const answer = await runAccessCommand(access, token);
    expect(access.service.identify(answer.token ?? '')).toMatchObject({ name: 'bot' });
    expect(answer.note).toMatch(/^The change is in effect, but could not be saved/);
  });

  it('[REQ-MCP-AUTH-002] is not returned if no hub runs that could know it', async () => {
    const { approvals: _, ...access } = await unsavedBench();
    await expect(runAccessCommand(access, token)).rejects.toMatchObject({
      problem: { code: 'access.unsaved' },
    });
  });
});

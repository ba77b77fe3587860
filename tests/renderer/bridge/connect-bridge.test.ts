import { describe, expect, it } from 'vitest';
import { connectBridge } from '../../../renderer/bridge/connect-bridge.ts';
import type { Problem } from '../../../shared/error/problem.ts';
import type { PatchbayBridge } from '../../../shared/ipc/contract.ts';

function bridgeThat(call: PatchbayBridge['call']): PatchbayBridge {
  return { call, on: () => () => {}, pathOf: () => '' };
}

describe('[PB-IPC-1] the link over the bridge', () => {
  it('hands answers and problems on as values', async () => {
    const lost: Problem[] = [];
    const link = connectBridge(
      bridgeThat(async () => ({ ok: true, value: undefined as never })),
      (problem) => lost.push(problem),
    );
    expect(await link.call('app.openDataFolder', undefined)).toEqual({ ok: true, value: undefined });
    expect(lost).toEqual([]);
  });

  it.each([
    ['rejects', bridgeThat(() => Promise.reject(new Error('Object has been destroyed')))],
    [
      'throws',
      bridgeThat(() => {
        throw new Error('gone');
      }),
    ],
    ['is missing', undefined],
  ])('never rejects: a bridge that %s is a problem and a lost link', async (_how, bridge) => {
    const lost: Problem[] = [];
    const answer = await connectBridge(bridge, (problem) => lost.push(problem)).call(
      'app.openDataFolder',
      undefined,
    );
    expect(answer).toMatchObject({ ok: false, problem: { code: 'hub.unreachable' } });
    expect(lost).toHaveLength(1);
  });
});

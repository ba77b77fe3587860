import { afterEach, describe, expect, it, vi } from 'vitest';
import { createStartGate } from '../../../../electron/main/lifecycle/start-gate.ts';

describe('what is held back while the window is made', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('goes on when the window is there', async () => {
    vi.useFakeTimers();
    const gate = createStartGate(2_000);
    gate.open();
    await gate.opened;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('goes on after a while whatever becomes of the window', async () => {
    vi.useFakeTimers();
    const gate = createStartGate(2_000);
    await vi.advanceTimersByTimeAsync(2_000);
    await gate.opened;
  });
});

import { afterEach, describe, expect, it, vi } from 'vitest';
import { createStartGate } from '../../../../electron/main/lifecycle/start-gate.ts';

describe('the start gate', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('opens when the window is shown', async () => {
    vi.useFakeTimers();
    const gate = createStartGate(2_000);
    gate.open();
    await gate.opened;
    expect(vi.getTimerCount()).toBe(0);
  });

  it('opens after a timeout without a window', async () => {
    vi.useFakeTimers();
    const gate = createStartGate(2_000);
    await vi.advanceTimersByTimeAsync(2_000);
    await gate.opened;
  });
});

import { expect, it } from 'vitest';
import { processStart } from '../../../../electron/main/port/process-start.ts';

it.runIf(process.platform === 'linux')(
  '[PB-APP-1] the start of the process is known to a few hundredths of a second',
  () => {
    // Node's own clock starts a little after the process.
    const started = processStart(() => null) ?? 0;
    expect(started).toBeLessThanOrEqual(performance.timeOrigin + 50);
    expect(started).toBeGreaterThan(performance.timeOrigin - 60_000);
  },
);

it.runIf(process.platform !== 'linux')('[PB-APP-1] the start of the process is asked of the system', () => {
  expect(processStart(() => 5)).toBe(5);
});

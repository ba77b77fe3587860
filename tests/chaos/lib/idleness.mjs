import { cpuMicroseconds } from '../../bench/lib/process.mjs';
import { pause } from '../../bench/lib/wait.mjs';

/** Per cent of one processor that these processes take while nobody asks anything of them. */
export async function idleShare(pids, milliseconds) {
  const before = cpuMicroseconds(pids);
  const begun = performance.now();
  await pause(milliseconds);
  const after = cpuMicroseconds(pids);
  return ((after - before) / 1_000 / (performance.now() - begun)) * 100;
}

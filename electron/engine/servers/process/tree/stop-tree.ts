import { type Clock, delay } from '../../../base/clock.ts';
import type { ProcessTree } from './contract.ts';

export interface StopOptions {
  readonly clock: Clock;
  /** Milliseconds for each step: after closing stdin, after SIGTERM, after SIGKILL. */
  readonly step: number;
  /** Asks politely; absent if there is no stdin to close. */
  readonly closeStdin?: () => void;
  /**
   * Removes the container that the tree started: what runs inside may ignore both, and is out of reach of
   * SIGKILL.
   */
  readonly removeContainer?: () => Promise<void>;
}

/**
 * Asks, signals, forces and verifies. Resolves with the pids that survive everything, normally none.
 * Processes that left family and group are searched for by their tag, after the family had a chance to end
 * them.
 */
export async function stopTree(tree: ProcessTree, options: StopOptions): Promise<readonly number[]> {
  const { closeStdin } = options;
  if (closeStdin !== undefined) {
    await tree.collectFamily();
    closeStdin();
    await waitWhileRootLives(tree, options);
  }
  // Windows has nothing between asking and forcing.
  if (process.platform !== 'win32') {
    if (await isGone(tree)) return [];
    await tree.signal('SIGTERM');
    await waitUntilGone(() => tree.living(), { ...options, step: termTimeout(options) });
  }
  if (options.removeContainer !== undefined && !(await isGone(tree))) {
    await options.removeContainer();
    await waitUntilGone(() => tree.living(), options);
  }
  return killTree(tree, options);
}

/** A client gives a command four seconds to end, and removing a container takes up to one of them. */
function termTimeout({ step, removeContainer }: StopOptions): number {
  return removeContainer === undefined ? step : Math.min(step, 500);
}

/** Repeats a few times for processes that were started meanwhile. */
async function killTree(tree: ProcessTree, options: StopOptions, rounds = 5): Promise<readonly number[]> {
  if (await isGone(tree)) return [];
  await tree.signal('SIGKILL');
  const { clock, step } = options;
  const left = await waitUntilGone(() => tree.living(), { clock, step: Math.max(step, killTimeoutMs) });
  return left.length > 0 || rounds === 1 ? left : killTree(tree, options, rounds - 1);
}

async function isGone(tree: ProcessTree): Promise<boolean> {
  await tree.collect();
  return (await tree.living()).length === 0;
}

/** After the root has ended on request, the rest gets only a moment, since it was never asked. */
async function waitWhileRootLives(tree: ProcessTree, options: StopOptions): Promise<void> {
  const rootOnly = async () => ((await tree.isRootAlive()) ? [tree.root] : []);
  await waitUntilGone(rootOnly, options);
  await waitUntilGone(() => tree.living(), { ...options, step: Math.min(options.step, 250) });
}

/** Milliseconds in which a killed process is gone, even if processor and disk are busy. */
export const killTimeoutMs = 10_000;

/** Polls until nothing lives, or for one step; resolves with the last result. */
export async function waitUntilGone(
  living: () => Promise<readonly number[]>,
  { clock, step }: Pick<StopOptions, 'clock' | 'step'>,
): Promise<readonly number[]> {
  const deadline = clock.uptime() + step;
  for (let pause = 10; ; pause = Math.min(pause * 2, 100)) {
    const left = await living();
    if (left.length === 0 || clock.uptime() >= deadline) return left;
    await delay(clock, pause);
  }
}

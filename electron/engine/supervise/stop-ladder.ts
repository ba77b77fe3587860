import { type Clock, delay } from '../base/clock.ts';
import type { ProcessTree } from './process-tree.ts';

export interface StopOptions {
  readonly clock: Clock;
  /** Milliseconds for each step: after closing stdin, after SIGTERM, after SIGKILL. */
  readonly step: number;
  /** Asks politely; absent where there is nothing to ask through. */
  readonly closeStdin?: () => void;
}

/** Ask, signal, force, verify: resolves with the pids that live in spite of everything, normally none. */
export async function stopTree(tree: ProcessTree, options: StopOptions): Promise<readonly number[]> {
  const { closeStdin } = options;
  await tree.collect();
  if (closeStdin !== undefined) {
    closeStdin();
    if ((await waitWhileRootLives(tree, options)).length === 0) return [];
  }
  // Windows has nothing between asking and forcing.
  if (process.platform !== 'win32') {
    await tree.collect();
    await tree.signal('SIGTERM');
    if ((await waitGone(tree, options)).length === 0) return [];
  }
  await tree.collect();
  await tree.signal('SIGKILL');
  return waitGone(tree, options);
}

/** Once the root has ended on request, whatever it left behind gets only a moment: nobody asked those. */
async function waitWhileRootLives(tree: ProcessTree, options: StopOptions): Promise<readonly number[]> {
  const left = await poll(tree, options, (living) => !living.includes(tree.root));
  return left.length === 0 ? left : waitGone(tree, { ...options, step: Math.min(options.step, 250) });
}

function waitGone(tree: ProcessTree, options: StopOptions): Promise<readonly number[]> {
  return poll(tree, options, (living) => living.length === 0);
}

async function poll(
  tree: ProcessTree,
  { clock, step }: StopOptions,
  done: (living: readonly number[]) => boolean,
): Promise<readonly number[]> {
  const deadline = clock.now() + step;
  for (let pause = 10; ; pause = Math.min(pause * 2, 100)) {
    const living = await tree.living();
    if (done(living) || clock.now() >= deadline) return living;
    await delay(clock, pause);
  }
}

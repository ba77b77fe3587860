/**
 * Keeps the process running until `task` has settled. The engine's timers do not: once the last pipe is closed, a wait
 * on one of them alone would end the process in the middle of ending its servers.
 */
export async function stayAlive<T>(task: () => Promise<T>): Promise<T> {
  const handle = setInterval(() => {}, farAway);
  try {
    return await task();
  } finally {
    clearInterval(handle);
  }
}

/** Milliseconds; the longest wait a timer can hold. */
const farAway = 2 ** 31 - 1;

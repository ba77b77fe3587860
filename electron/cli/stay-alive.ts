/**
 * Keeps the process running until `task` has settled. The engine's timers are unreferenced: once the last
 * pipe is closed, the process would exit while it waits for servers to stop.
 */
export async function stayAlive<T>(task: () => Promise<T>): Promise<T> {
  const handle = setInterval(() => {}, farAway);
  try {
    return await task();
  } finally {
    clearInterval(handle);
  }
}

/** Milliseconds; the maximum delay of a timer. */
const farAway = 2 ** 31 - 1;

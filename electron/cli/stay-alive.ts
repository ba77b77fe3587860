/**
 * Keeps the process running until `task` has settled. The engine's timers are unreferenced: once the last
 * pipe is closed, the process would exit while it waits for servers to stop.
 */
export async function keepAliveDuring<T>(task: () => Promise<T>): Promise<T> {
  const handle = setInterval(() => {}, maxTimerMs);
  try {
    return await task();
  } finally {
    clearInterval(handle);
  }
}

/** Milliseconds; the maximum delay of a timer. */
const maxTimerMs = 2 ** 31 - 1;

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** The outcome of `promise`, or a rejection that says what took too long. */
export function within(milliseconds, what, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${what}: nothing after ${milliseconds / 1000} s`)),
      milliseconds,
    );
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Asks until the answer is not undefined; rejects with the last error after `milliseconds`. */
export async function until(milliseconds, what, ask, interval = 10) {
  const end = performance.now() + milliseconds;
  let last;
  while (performance.now() < end) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      last = error;
    }
    await pause(interval);
  }
  throw new Error(
    `${what}: not within ${milliseconds / 1000} s${last === undefined ? '' : ` (${last.message})`}`,
  );
}

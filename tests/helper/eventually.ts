/** Repeats an assertion until it holds; after `milliseconds` its last failure is the test's. */
export async function eventually(
  assertion: () => void | Promise<void>,
  milliseconds = 10_000,
): Promise<void> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    try {
      await assertion();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}

/** Repeats an assertion until it holds; its last failure is the test's after `milliseconds`, which bound a hang on a busy machine. */
export async function eventually(
  assertion: () => void | Promise<void>,
  milliseconds = 60_000,
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

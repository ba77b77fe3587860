/** Lets the event loop turn often enough for everything in progress in this process, however slow the machine is. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

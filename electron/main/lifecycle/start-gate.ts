/** Delays something until it is opened or the timeout expires. */
export interface StartGate {
  readonly opened: Promise<void>;
  open(): void;
}

/**
 * Delays the servers while the window is created: ten of them starting at once would slow down the one thing
 * the user is looking at. Never waits longer than `patience` milliseconds, whether or not a window appears.
 */
export function createStartGate(timeoutMs: number): StartGate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const timer = setTimeout(open, timeoutMs);
  return {
    opened,
    open() {
      clearTimeout(timer);
      open();
    },
  };
}

/** Something that is held back until it is opened, or has been held long enough. */
export interface StartGate {
  readonly opened: Promise<void>;
  open(): void;
}

/**
 * Holds the servers back while the window is made: ten of them starting at once take every processor from the one thing
 * a person is looking at. Never for longer than `patience` milliseconds, whatever becomes of the window.
 */
export function createStartGate(patience: number): StartGate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const timer = setTimeout(open, patience);
  return {
    opened,
    open() {
      clearTimeout(timer);
      open();
    },
  };
}

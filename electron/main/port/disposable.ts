/** Ends what was started; disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** Combines several disposables into one. */
export function disposeAll(things: readonly Disposable[]): Disposable {
  return {
    dispose: () => {
      for (const thing of things) thing.dispose();
    },
  };
}

/** Runs `action` repeatedly, without keeping the program alive. */
export function every(milliseconds: number, action: () => void): Disposable {
  const timer = setInterval(action, milliseconds);
  timer.unref();
  return { dispose: () => clearInterval(timer) };
}

/** Runs `action` once after `milliseconds`, without keeping the program alive. */
export function after(milliseconds: number, action: () => void): Disposable {
  const timer = setTimeout(action, milliseconds);
  timer.unref();
  return { dispose: () => clearTimeout(timer) };
}

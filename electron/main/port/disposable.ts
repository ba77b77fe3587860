/** Ends what was started; ending twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** Ends several things as one. */
export function disposeAll(things: readonly Disposable[]): Disposable {
  return {
    dispose: () => {
      for (const thing of things) thing.dispose();
    },
  };
}

/** Runs `action` again and again, without keeping the program alive. */
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

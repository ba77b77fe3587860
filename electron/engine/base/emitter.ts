/** Releases a resource or ends a subscription. Disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

/** Subscribes a listener; disposing the result ends the subscription. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Fires an {@link Event}. A listener that throws does not keep the others from being called. */
export class Emitter<T> {
  readonly #listeners = new Set<{ readonly listener: (value: T) => void }>();
  readonly #onListenerError: (error: unknown) => void;

  constructor(onListenerError: (error: unknown) => void = rethrowLater) {
    this.#onListenerError = onListenerError;
  }

  readonly event: Event<T> = (listener) => {
    const entry = { listener };
    this.#listeners.add(entry);
    return { dispose: () => void this.#listeners.delete(entry) };
  };

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  fire(value: T): void {
    for (const { listener } of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

/** Surfaces a listener's bug without skipping the listeners after it. */
export function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

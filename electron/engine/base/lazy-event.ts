import { type Disposable, Emitter, type Event } from './emitter.ts';

/** An event whose source runs only while somebody listens. */
export function createLazyEvent<T>(
  start: (fire: (value: T) => void) => Disposable,
): { readonly event: Event<T> } & Disposable {
  const emitter = new Emitter<T>();
  let source: Disposable | undefined;
  const stop = () => {
    source?.dispose();
    source = undefined;
  };
  return {
    event(listener) {
      const subscription = emitter.event(listener);
      source ??= start((value) => emitter.fire(value));
      return {
        dispose() {
          subscription.dispose();
          if (!emitter.hasListeners) stop();
        },
      };
    },
    dispose() {
      emitter.dispose();
      stop();
    },
  };
}

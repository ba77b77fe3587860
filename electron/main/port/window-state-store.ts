import Store from 'electron-store';
import { type WindowState, windowStateSchema } from '../window/window-bounds.ts';

/** Saves the window's state in its own file; losing it is harmless, so failures only go to `onError`. */
export class WindowStateStore {
  #current: WindowState;
  readonly #folder: string;
  readonly #onError: (error: unknown) => void;

  constructor(folder: string, onError: (error: unknown) => void) {
    this.#folder = folder;
    this.#onError = onError;
    this.#current = this.#read();
  }

  get current(): WindowState {
    return this.#current;
  }

  change(patch: Partial<WindowState>): void {
    this.#current = { ...this.#current, ...patch };
    try {
      this.#open().store = { ...this.#current };
    } catch (error) {
      this.#onError(error);
    }
  }

  #read(): WindowState {
    try {
      return windowStateSchema.catch(windowStateSchema.parse({})).parse(this.#open().store);
    } catch (error) {
      this.#onError(error);
      return windowStateSchema.parse({});
    }
  }

  #open(): Store<Record<string, unknown>> {
    return new Store({ cwd: this.#folder, name: 'window', clearInvalidConfig: true });
  }
}

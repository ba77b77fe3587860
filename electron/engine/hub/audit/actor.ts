/** The actor that the audit log names for an operation: the window, unless a caller says otherwise. */
export class Actor {
  #name = usual;

  get name(): string {
    return this.#name;
  }

  /** Applies only until the first `await` inside `ask`, so the actor has to be read before that. */
  as<T>(name: string, ask: () => T): T {
    const before = this.#name;
    this.#name = name;
    try {
      return ask();
    } finally {
      this.#name = before;
    }
  }
}

const usual = 'window';

/** Who asks the engine for something: the window, unless somebody else says so. */
export class Actor {
  #name = usual;

  get name(): string {
    return this.#name;
  }

  /** It holds up to the first `await` of what is asked: whoever notes it asks before that. */
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

/** Runs tasks one after the other; a failing one does not stop the rest. */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects with the task's own outcome. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const outcome = this.#tail.then(task, task);
    this.#tail = outcome.catch(() => undefined);
    return outcome;
  }
}

import type { ChildProcess } from 'node:child_process';

let lastId = 0;

/** Sends an order to a forked program; resolves to what it answers under the same id. */
export function order<T>(child: ChildProcess, name: string, to: object = {}): Promise<T> {
  lastId += 1;
  const id = lastId;
  return new Promise((resolve) => {
    const hear = (message: { readonly id: number; readonly answer: T }) => {
      if (message.id !== id) return;
      child.off('message', hear);
      resolve(message.answer);
    };
    child.on('message', hear);
    child.send({ id, order: name, ...to });
  });
}

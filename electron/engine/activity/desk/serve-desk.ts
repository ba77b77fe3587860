import type { Clock } from '../../base/clock.ts';
import { SerialQueue } from '../../base/queue.ts';
import type { DeskInput, DeskOutput } from '../contract.ts';
import { Desk } from './desk.ts';

/** The worker's side of the thread. */
export interface DeskPort {
  on(event: 'message', listener: (input: DeskInput) => void): unknown;
  postMessage(output: DeskOutput): void;
  close(): void;
}

/** Runs the worker on its inputs, one after the other, until it gets `close`. */
export function serveDesk(port: DeskPort, clock: Clock): void {
  const queue = new SerialQueue();
  let desk: Desk | undefined;
  const take = async (input: DeskInput) => {
    if (input.kind === 'open') {
      desk = new Desk({ clock, post: (output) => port.postMessage(output) }, input);
      await desk.begin();
    } else await desk?.handle(input);
    if (input.kind === 'close') port.close();
  };
  port.on('message', (input) => void queue.run(() => take(input)));
}

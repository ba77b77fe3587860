import {
  readMessages,
  toRaw,
  type WireMessage,
} from '../../../../../electron/engine/jsonrpc/read-message.ts';
import type { Transport, TransportHandlers } from '../../../../../electron/engine/jsonrpc/transport.ts';
import { memberOf } from '../../../../conformance/fidelity/fixture/raw-json.mjs';
import { writeOut } from './any-json.ts';

/** A pipe whose other end is the test: lines as they are written, in both directions. */
export class LinePipe implements Transport {
  readonly sent: string[] = [];
  onSend: (line: string) => void = () => {};
  readonly #sender: 'client' | 'server';
  #handlers: TransportHandlers | undefined;

  /** `sender` is who sits at the other end. */
  constructor(sender: 'client' | 'server') {
    this.#sender = sender;
  }

  async start(handlers: TransportHandlers): Promise<void> {
    this.#handlers = handlers;
  }

  async send(message: WireMessage): Promise<void> {
    const line = toRaw(message).line().toString('utf8').trim();
    this.sent.push(line);
    this.onSend(line);
  }

  async close(): Promise<void> {
    this.#handlers?.closed();
  }

  /** Throws what the receiver throws. */
  receive(line: string): void {
    for (const message of readMessages(Buffer.from(`${writeOut(line)}\n`), this.#sender))
      this.#handlers?.message(message);
  }
}

/** Outermost members of a line that are needed to play a peer, as JSON. */
export function partsOf(line: string) {
  const member = (name: string) => memberOf(line, name);
  const method = member('method');
  return {
    id: member('id'),
    method: method === undefined ? undefined : (JSON.parse(method) as string),
    params: member('params'),
    result: member('result'),
    error: member('error'),
  };
}

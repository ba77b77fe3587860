import { createConnection, type Socket } from 'node:net';
import type { Disposable } from '../port/disposable.ts';
import { type DbusCall, type DbusMessage, decodeMessage, encodeCall, messageLength } from './dbus-message.ts';

export interface DbusConnectionOptions {
  /** Same format as `DBUS_SESSION_BUS_ADDRESS`. */
  readonly address: string;
  readonly onSignal: (signal: DbusMessage) => void;
  /** Called once if the connection ends by itself. */
  readonly onEnd: (error: Error) => void;
}

/** Returns the first local socket in the address, or undefined. */
export function socketPath(address: string): string | undefined {
  const options = address
    .split(';')
    .flatMap((each) => (each.startsWith('unix:') ? each.slice(5).split(',') : []));
  const [kind, value] = options.find((each) => /^(path|abstract)=/.test(each))?.split(/=(.*)/) ?? [];
  if (value === undefined) return undefined;
  const name = decodeURIComponent(value);
  return kind === 'abstract' ? `\0${name}` : name;
}

type Waiting = (answer: DbusMessage) => void;

/** A session on a message bus that makes calls and receives signals. */
export class DbusConnection implements Disposable {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #outbox: Buffer[] = [];
  readonly #onSignal: (signal: DbusMessage) => void;
  #received: Buffer = Buffer.alloc(0);
  #phase: 'greeting' | 'open' | 'ended' = 'greeting';
  #serial = 0;

  constructor({ address, onSignal, onEnd }: DbusConnectionOptions) {
    const path = socketPath(address);
    if (path === undefined) throw new Error('The session bus is not a local socket.');
    this.#onSignal = onSignal;
    this.#socket = createConnection(path);
    this.#socket.on('connect', () => this.#authenticate());
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    this.#socket.on('error', (error) => this.#end(() => onEnd(error)));
    this.#socket.on('close', () =>
      this.#end(() => onEnd(new Error('The session bus has closed the connection.'))),
    );
    // Every session starts with this call; it may be queued before authentication has finished.
    void this.call({ ...busObject, member: 'Hello', args: [] });
  }

  /** Resolves to the reply, whether a return or an error; never settles once the connection has ended. */
  call(call: DbusCall): Promise<DbusMessage> {
    this.#serial += 1;
    const serial = this.#serial;
    const message = encodeCall(call, serial);
    return new Promise((resolve) => {
      this.#waiting.set(serial, resolve);
      this.#outbox.push(message);
      this.#flush();
    });
  }

  dispose(): void {
    this.#end(() => {});
  }

  /** The socket itself proves the user id. */
  #authenticate(): void {
    const user = Buffer.from(String(process.getuid?.() ?? ''), 'utf8').toString('hex');
    this.#socket.write(`\0AUTH EXTERNAL ${user}\r\n`);
  }

  #flush(): void {
    if (this.#phase !== 'open') return;
    for (const message of this.#outbox.splice(0)) this.#socket.write(message);
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    try {
      if (this.#phase === 'greeting') this.#readAuthReply();
      if (this.#phase === 'open') this.#readMessages();
    } catch (error) {
      this.#socket.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #readAuthReply(): void {
    const end = this.#received.indexOf('\r\n');
    if (end < 0) return;
    const line = this.#received.toString('latin1', 0, end);
    if (!line.startsWith('OK')) throw new Error('The session bus rejected this user.');
    this.#received = this.#received.subarray(end + 2);
    this.#socket.write('BEGIN\r\n');
    this.#phase = 'open';
    this.#flush();
  }

  #readMessages(): void {
    for (;;) {
      const length = messageLength(this.#received);
      if (length !== undefined && length > maxMessageBytes)
        throw new Error('A message from the session bus is too long.');
      if (length === undefined || this.#received.length < length) return;
      this.#onMessage(decodeMessage(this.#received.subarray(0, length)));
      this.#received = this.#received.subarray(length);
    }
  }

  #onMessage(message: DbusMessage): void {
    if (message.kind === 'signal') this.#onSignal(message);
    if (message.replyTo === undefined) return;
    this.#waiting.get(message.replyTo)?.(message);
    this.#waiting.delete(message.replyTo);
  }

  #end(tell: () => void): void {
    if (this.#phase === 'ended') return;
    this.#phase = 'ended';
    this.#socket.destroy();
    tell();
  }
}

/** The bus itself as the target of a call. */
export const busObject = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
} as const;

/** Far more than any expected message; the format would allow 128 MB. */
const maxMessageBytes = 1024 * 1024;

import { randomUUID } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { readHelloLine } from '../../transport/socket.ts';

/** A stream that is on its way. */
export interface ExpectedStream {
  readonly token: string;
  /** Paused; nothing of what came after the token is lost. Undefined once nobody waits for it any more. */
  readonly socket: Promise<Socket | undefined>;
}

/**
 * Where the standard streams of what the fork server starts come in, each with a token that is good once. The name is one
 * of Linux's that are no file: it goes with this program, and who may connect is decided by the token alone.
 */
export class StdioDoor {
  readonly name = `\0patchbay-${randomUUID()}`;
  readonly #clock: Clock;
  readonly #expected = new Map<string, (socket?: Socket) => void>();
  readonly #server = createServer({ pauseOnConnect: true }, (socket) => void this.#welcome(socket));

  constructor(clock: Clock) {
    this.#clock = clock;
    // Without a door nothing comes in, which whoever waits notices.
    this.#server.on('error', () => {});
    this.#server.listen(this.name);
    this.#server.unref();
  }

  expect(): ExpectedStream {
    const token = randomUUID();
    const socket = new Promise<Socket | undefined>((resolve) => this.#expected.set(token, resolve));
    return { token, socket };
  }

  /** Lets go of a stream, whether it has come or not. */
  forget({ token, socket }: ExpectedStream): void {
    this.#expected.get(token)?.();
    this.#expected.delete(token);
    void socket.then((arrived) => arrived?.destroy());
  }

  close(): void {
    this.#server.close();
  }

  async #welcome(socket: Socket): Promise<void> {
    socket.on('error', () => {});
    const token = await readHelloLine(socket, longestToken, patience, this.#clock).catch(() => '');
    const arrive = this.#expected.get(token);
    this.#expected.delete(token);
    if (arrive === undefined) socket.destroy();
    else arrive(socket);
  }
}

const longestToken = 64;

/** Milliseconds. */
const patience = 5_000;

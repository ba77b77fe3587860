import { randomUUID } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { readHelloLine } from '../../transport/socket.ts';

/** A stream that has not arrived yet. */
export interface ExpectedStream {
  readonly token: string;
  /** Paused, so nothing after the token is lost. Resolves with undefined if it is no longer expected. */
  readonly socket: Promise<Socket | undefined>;
}

/**
 * Accepts the standard streams of programs started by the fork server, each identified by a token that is
 * valid once. The name is a Linux abstract socket: it disappears with this program, and only the token
 * decides who may connect.
 */
export class StdioListener {
  readonly name = `\0patchbay-${randomUUID()}`;
  readonly #clock: Clock;
  readonly #expected = new Map<string, (socket?: Socket) => void>();
  readonly #server = createServer({ pauseOnConnect: true }, (socket) => void this.#accept(socket));

  constructor(clock: Clock) {
    this.#clock = clock;
    // If the socket fails, nothing arrives, which the waiting side notices by its timeout.
    this.#server.on('error', () => {});
    this.#server.listen(this.name);
    this.#server.unref();
  }

  expect(): ExpectedStream {
    const token = randomUUID();
    const socket = new Promise<Socket | undefined>((resolve) => this.#expected.set(token, resolve));
    return { token, socket };
  }

  /** Stops expecting a stream, or closes it if it has arrived. */
  release({ token, socket }: ExpectedStream): void {
    this.#expected.get(token)?.();
    this.#expected.delete(token);
    void socket.then((arrived) => arrived?.destroy());
  }

  close(): void {
    this.#server.close();
  }

  async #accept(socket: Socket): Promise<void> {
    socket.on('error', () => {});
    const token = await readHelloLine(socket, maxTokenLength, helloTimeoutMs, this.#clock).catch(() => '');
    const arrive = this.#expected.get(token);
    this.#expected.delete(token);
    if (arrive === undefined) socket.destroy();
    else arrive(socket);
  }
}

const maxTokenLength = 64;

/** Milliseconds. */
const helloTimeoutMs = 5_000;

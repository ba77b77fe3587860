import { once } from 'node:events';
import { createServer, request } from 'node:http';

/** Forwards what a client posts to a hub, and keeps which messages it sent, in order. */
export class Recorder {
  methods = [];
  #target;
  #server;

  constructor(url) {
    this.#target = new URL(url);
  }

  /** Resolves to the address for the client. */
  async listen() {
    this.#server = createServer((incoming, outgoing) => this.#forward(incoming, outgoing));
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${this.#server.address().port}${this.#target.pathname}`;
  }

  close() {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  async #forward(incoming, outgoing) {
    const chunks = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { method } = body.length === 0 ? {} : JSON.parse(body);
    if (method !== undefined) this.methods.push(method);
    const { hostname, port, host } = this.#target;
    const options = { hostname, port, path: incoming.url, method: incoming.method };
    const sent = request({ ...options, headers: { ...incoming.headers, host } }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      outgoing.flushHeaders();
      answer.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    outgoing.on('close', () => sent.destroy());
    sent.end(body);
  }
}

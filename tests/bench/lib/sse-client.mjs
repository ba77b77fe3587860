import { findId } from './envelope.mjs';
import { HttpPool, refusal } from './http-exchange.mjs';
import { lineSplitter, sizeOf } from './lines.mjs';

const HEAD = '{"jsonrpc":"2.0","id":';
const DATA = 'data: ';

/** A JSON-RPC client over HTTP with SSE (2024-11-05): requests are posted, answers come on one stream. */
export class SseClient {
  #pool;
  #head;
  #waiting = new Map();
  #nextId = 1;

  static async open({ port, path = '/mcp' }) {
    const client = new SseClient();
    client.#pool = new HttpPool(port);
    const host = `HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`;
    const endpoint = await new Promise((resolve, reject) => {
      const read = lineSplitter((pieces) => client.#receive(pieces, resolve));
      const stop = (error) => {
        reject(error);
        client.#fail(error);
      };
      const stream = client.#pool.request(`GET ${path} ${host}Accept: text/event-stream\r\n\r\n`, '', read);
      stream.then(({ status }) => stop(new Error(`the stream ended (HTTP ${status})`)), stop);
    });
    client.#head = `POST ${endpoint} ${host}Content-Type: application/json\r\n`;
    return client;
  }

  exchange(body) {
    const id = this.#nextId++;
    const start = `${HEAD}${id}`;
    const content = typeof body === 'string' ? `${start}${body}` : Buffer.concat([Buffer.from(start), body]);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#post(content).catch((error) => {
        this.#waiting.delete(id);
        reject(error);
      });
    });
  }

  async send(text) {
    await this.#post(text);
  }

  read(answer) {
    return JSON.parse(Buffer.concat(answer).toString('utf8').slice(DATA.length));
  }

  size(answer) {
    return sizeOf(answer);
  }

  async close() {
    this.#pool.close();
  }

  async #post(content) {
    const head = `${this.#head}Content-Length: ${Buffer.byteLength(content)}\r\n\r\n`;
    const { status, pieces } = await this.#pool.request(head, content);
    if (status >= 300) throw refusal(status, pieces);
  }

  #receive(pieces, onEndpoint) {
    if (!pieces[0].latin1Slice(0, DATA.length).startsWith(DATA)) return;
    if (this.#head === undefined) {
      onEndpoint(Buffer.concat(pieces).toString('latin1').slice(DATA.length).trim());
      return;
    }
    const waiting = this.#waiting.get(findId(pieces)?.id);
    if (waiting === undefined) return;
    this.#waiting.delete(findId(pieces).id);
    waiting.resolve(pieces);
  }

  #fail(error) {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

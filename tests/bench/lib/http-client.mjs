import { HttpPool, refusal } from './http-exchange.mjs';
import { sizeOf } from './lines.mjs';

const HEAD = '{"jsonrpc":"2.0","id":';

/**
 * A JSON-RPC client over Streamable HTTP: one POST a request, each answered on its own response. `headers(body)` are
 * more header lines, for a client without sessions.
 */
export class HttpClient {
  #pool;
  #head;
  #headers;
  #nextId = 1;

  constructor({ port, path = '/mcp', token, headers }) {
    this.#headers = headers;
    this.#pool = new HttpPool(port);
    this.#head =
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\n` +
      `Accept: application/json, text/event-stream\r\n${token === undefined ? '' : `Authorization: Bearer ${token}\r\n`}`;
  }

  async exchange(body) {
    const id = this.#nextId++;
    const start = `${HEAD}${id}`;
    const content = typeof body === 'string' ? `${start}${body}` : Buffer.concat([Buffer.from(start), body]);
    return this.#post(content, this.#headers?.(body));
  }

  async send(text) {
    await this.#post(text);
  }

  /** The message with an id in an answer, whether it came as JSON or as an event stream. */
  read(answer) {
    const text = Buffer.concat(answer).toString('utf8');
    if (text.startsWith('{')) return JSON.parse(text);
    const messages = [...text.matchAll(/^data: ?(\{.*)$/gm)].map(([, data]) => JSON.parse(data));
    return messages.find(({ id }) => id !== undefined);
  }

  size(answer) {
    return sizeOf(answer);
  }

  async close() {
    this.#pool.close();
  }

  async #post(content, more = '') {
    const head = `${this.#head}${more}Content-Length: ${Buffer.byteLength(content)}\r\n\r\n`;
    const { status, headers, pieces } = await this.#pool.request(head, content);
    if (status >= 300) {
      throw refusal(status, pieces);
    }
    if (this.#headers === undefined && headers['mcp-session-id'] !== undefined)
      this.#join(headers['mcp-session-id']);
    return pieces;
  }

  /** From here on every request names the session. */
  #join(session) {
    if (this.#head.includes('Mcp-Session-Id')) return;
    this.#head += `Mcp-Session-Id: ${session}\r\nMCP-Protocol-Version: 2025-06-18\r\n`;
  }
}

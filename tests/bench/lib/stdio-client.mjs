import { findId } from './envelope.mjs';
import { lineSplitter, sizeOf } from './lines.mjs';

const HEAD = '{"jsonrpc":"2.0","id":';
/** Above this a body goes out in a write of its own, so that nobody copies it. */
const LARGE = 16 * 1024;

/** A JSON-RPC client over a program's standard streams that knows nothing but ids, so that it costs next to nothing. */
export class StdioClient {
  #child;
  #waiting = new Map();
  #nextId = 1;
  #ended;

  constructor(child) {
    this.#child = child;
    child.stdout.on(
      'data',
      lineSplitter((pieces) => this.#receive(pieces)),
    );
    child.stdout.once('close', () => this.#end());
    child.stdin.on('error', () => this.#end());
  }

  /** Sends a request whose bytes after the id are `body`; resolves with the answer's pieces. */
  exchange(body) {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const id = this.#nextId++;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    const { stdin } = this.#child;
    if (body.length <= LARGE) stdin.write(`${HEAD}${id}${body}\n`);
    else {
      stdin.cork();
      stdin.write(`${HEAD}${id}`);
      stdin.write(body);
      stdin.write('\n');
      stdin.uncork();
    }
    return answer;
  }

  async send(text) {
    this.#child.stdin.write(`${text}\n`);
  }

  /** The whole message in an answer. */
  read(answer) {
    return JSON.parse(Buffer.concat(answer).toString('utf8'));
  }

  size(answer) {
    return sizeOf(answer);
  }

  async close() {}

  #receive(pieces) {
    const found = findId(pieces);
    const waiting = this.#waiting.get(found?.id);
    if (waiting === undefined) return;
    this.#waiting.delete(found.id);
    waiting.resolve(pieces);
  }

  #end() {
    this.#ended ??= new Error('the program ended', { cause: this.#child.lastWords() });
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }
}

import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');
/** Milliseconds. */
const RESTS = 2000;

/** Kept-alive connections to one address, one request at a time on each; a hand's breadth above the socket. */
export class HttpPool {
  #port;
  #idle = [];
  #all = new Set();

  constructor(port) {
    this.#port = port;
  }

  /** Resolves with `{ status, headers, pieces }` when the response is whole. `onPiece` sees a stream as it comes. */
  request(head, body, onPiece) {
    return (this.#rested() ?? this.#open()).request(head, body, onPiece);
  }

  close() {
    for (const line of this.#all) line.destroy();
  }

  /** Servers hang up on connections that rest for some seconds; one that may be about to go is not used again. */
  #rested() {
    for (let line = this.#idle.pop(); line !== undefined; line = this.#idle.pop()) {
      if (performance.now() - line.idleSince < RESTS) return line;
      line.destroy();
    }
    return undefined;
  }

  #open() {
    const line = new HttpLine(connect({ port: this.#port, host: '127.0.0.1', noDelay: true }), {
      idle: () => this.#idle.push(line),
      gone: () => {
        this.#all.delete(line);
        this.#idle = this.#idle.filter((other) => other !== line);
      },
    });
    this.#all.add(line);
    return line;
  }
}

/** Creates an error with the body as its cause, since HTTP error pages are long and meant for browsers. */
export function refusal(status, pieces) {
  const words = Buffer.concat(pieces).toString('utf8');
  return new Error(`HTTP ${status}`, { cause: words });
}

/** One connection. */
class HttpLine {
  idleSince = 0;
  #socket;
  #owner;
  #waiting;
  #response;

  constructor(socket, owner) {
    this.#socket = socket;
    this.#owner = owner;
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('error', () => {});
    socket.on('close', () => this.#gone());
  }

  request(head, body, onPiece) {
    this.#response = new Response(onPiece);
    const answer = new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
    this.#socket.cork();
    this.#socket.write(head, 'latin1');
    if (body.length > 0) this.#socket.write(body);
    this.#socket.uncork();
    return answer;
  }

  destroy() {
    this.#socket.destroy();
  }

  #receive(chunk) {
    const response = this.#response;
    if (response === undefined || !response.push(chunk)) return;
    const { resolve } = this.#waiting;
    this.#waiting = undefined;
    this.#response = undefined;
    this.idleSince = performance.now();
    if (response.headers.connection !== 'close') this.#owner.idle();
    resolve(response);
  }

  #gone() {
    this.#owner.gone();
    this.#waiting?.reject(new Error('the connection was closed'));
    this.#waiting = undefined;
  }
}

/** Reads one response as it comes: a head, then a body of known length or in chunks. */
class Response {
  status = 0;
  headers = {};
  pieces = [];
  #onPiece;
  #begun = Buffer.alloc(0);
  /** Bytes still to come of the body, or of the current chunk with its line end; undefined before the head is read. */
  #left;
  #isChunked = false;

  constructor(onPiece) {
    this.#onPiece = onPiece;
  }

  /** True when the response is whole. */
  push(chunk) {
    let rest = chunk;
    if (this.#left === undefined) {
      const bytes = this.#joined(chunk);
      const end = bytes.indexOf(HEAD_END);
      if (end === -1) return this.#keep(bytes);
      this.#readHead(bytes.latin1Slice(0, end));
      rest = bytes.subarray(end + HEAD_END.length);
    }
    return this.#isChunked ? this.#pushChunked(rest) : this.#pushPlain(rest);
  }

  #pushPlain(bytes) {
    this.#take(bytes);
    this.#left -= bytes.length;
    return this.#left <= 0;
  }

  #pushChunked(bytes) {
    let rest = this.#joined(bytes);
    while (rest.length > 0) {
      if (this.#left === 0) {
        const end = rest.indexOf(LINE_END);
        if (end === -1) return this.#keep(rest);
        const size = Number.parseInt(rest.latin1Slice(0, end), 16);
        if (size === 0) return rest.length >= end + 4 || this.#keep(rest);
        this.#left = size + LINE_END.length;
        rest = rest.subarray(end + LINE_END.length);
      }
      const part = rest.subarray(0, this.#left);
      this.#left -= part.length;
      // The line end after a chunk may itself be cut; what is left of it is not content.
      const content = part.length - Math.max(0, LINE_END.length - this.#left);
      if (content > 0) this.#take(part.subarray(0, content));
      rest = rest.subarray(part.length);
    }
    return false;
  }

  #readHead(text) {
    const [first, ...lines] = text.split('\r\n');
    this.status = Number(first.split(' ', 2)[1]);
    for (const line of lines) {
      const colon = line.indexOf(':');
      this.headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
    }
    this.#isChunked = this.headers['transfer-encoding'] === 'chunked';
    this.#left = this.#isChunked ? 0 : Number(this.headers['content-length'] ?? 0);
  }

  #take(piece) {
    if (this.#onPiece === undefined) this.pieces.push(piece);
    else this.#onPiece(piece);
  }

  #joined(chunk) {
    if (this.#begun.length === 0) return chunk;
    const bytes = Buffer.concat([this.#begun, chunk]);
    this.#begun = Buffer.alloc(0);
    return bytes;
  }

  #keep(bytes) {
    this.#begun = bytes;
    return false;
  }
}

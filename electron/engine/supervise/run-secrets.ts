import { maskJson } from '../base/mask-json.ts';
import { toldParts } from '../base/secret-parts.ts';
import { cut, joined, type Pieces, sizeOf } from '../rpc/pieces.ts';
import { createRedactor, type Redact } from './redact.ts';

/**
 * Secrets of a server: what its entry gives it, and what clients have lately sent to it. It may say them again in its log. What was sent is only kept, a
 * bounded part of it, until something is to be redacted: most servers log little, and a call is not to wait for this.
 */
export class RunSecrets {
  readonly #own: readonly string[];
  #unread: Pieces[] = [];
  #size = 0;
  /** The ones heard of last come last. */
  readonly #known = new Set<string>();
  #redact: Redact | undefined;

  /** `own`: what the server was given by its entry. */
  constructor(own: readonly string[]) {
    this.#own = own;
  }

  /** A message, or what matters of it. */
  sent(body: Pieces | undefined): void {
    if (body === undefined) return;
    const kept = keptOf(body);
    this.#unread.push(kept);
    this.#size += sizeOf(kept);
    while (this.#size > mostUnread || this.#unread.length > mostBodies)
      this.#size -= sizeOf(this.#unread.shift() ?? []);
  }

  readonly redact: Redact = (text) => {
    this.#read();
    this.#redact ??= createRedactor([...this.#own, ...this.#known]);
    return withoutHalves(withoutHalves(this.#redact(text), this.#own), this.#known);
  };

  #read(): void {
    if (this.#unread.length === 0) return;
    const bodies = this.#unread;
    [this.#unread, this.#size] = [[], 0];
    for (const body of bodies) this.#readOne(joined(body).toString('utf8'));
    for (const secret of this.#known) {
      if (this.#known.size <= mostKnown) break;
      this.#known.delete(secret);
    }
  }

  #readOne(json: string): void {
    const onSecret = (secret: string) => {
      for (const part of toldParts(secret)) this.#learn(part);
    };
    maskJson(json, { onSecret, isBeginning: json.length >= largest, ...unbounded });
  }

  #learn(secret: string): void {
    if (secret.trim().length < shortest) return;
    if (!this.#known.delete(secret)) this.#redact = undefined;
    this.#known.add(secret);
  }
}

/** Small ones lie in large blocks that are not to be held for them. */
function keptOf(body: Pieces): Pieces {
  const size = sizeOf(body);
  if (size <= small) return [Buffer.from(joined(body))];
  return size <= largest ? body : cut(body, 0, largest);
}

const small = 8 * 1024;
const unbounded = { longest: Number.POSITIVE_INFINITY, longestString: Number.POSITIVE_INFINITY };
/** Bytes of one message. */
const largest = 256 * 1024;
/** Bytes and messages that nothing was said about yet. */
const mostUnread = 1024 * 1024;
const mostBodies = 256;
/** Each costs a look at every line. */
const mostKnown = 300;
const shortest = 4;

/** A secret may be cut by the end of a line: what begins or ends as one does is taken for its half. */
function withoutHalves(text: string, secrets: Iterable<string>): string {
  return text
    .split('\n')
    .map((line) => {
      let shown = line;
      for (const secret of secrets) if (secret.length >= longSecret) shown = withoutHalf(shown, secret);
      return shown;
    })
    .join('\n');
}

function withoutHalf(line: string, secret: string): string {
  const begins = line.lastIndexOf(secret.slice(0, half));
  const isFirst = begins !== -1 && secret.startsWith(line.slice(begins).trimEnd());
  const shown = isFirst ? `${line.slice(0, begins)}${hidden}` : line;
  const ends = shown.indexOf(secret.slice(-half));
  const isSecond = ends !== -1 && secret.endsWith(shown.slice(0, ends + half).trimStart());
  return isSecond ? hidden + shown.slice(ends + half) : shown;
}

const longSecret = 12;
/** Characters by which a half of one is known. */
const half = 6;
const hidden = '•••';

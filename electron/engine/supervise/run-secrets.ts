import { maskJson } from '../base/mask-json.ts';
import { toldParts } from '../base/secret-parts.ts';
import { cut, joined, type Pieces, sizeOf } from '../rpc/pieces.ts';
import { createRedactor, type Redact } from './redact.ts';

/**
 * Secrets of a server: those of its entry, and those that clients recently sent to it, since its log may
 * repeat them. Sent messages are only stored, up to a limit, and searched when something must be redacted:
 * most servers log little, and calls must not wait.
 */
export class RunSecrets {
  readonly #own: readonly string[];
  #unread: Pieces[] = [];
  #size = 0;
  /** Most recently seen last. */
  readonly #known = new Set<string>();
  #redact: Redact | undefined;

  /** `own` are the secrets of its entry. */
  constructor(own: readonly string[]) {
    this.#own = own;
  }

  /** Stores a sent message, or the relevant part of it. */
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

/** Copies small messages, which would otherwise keep large buffers alive. */
function keptOf(body: Pieces): Pieces {
  const size = sizeOf(body);
  if (size <= small) return [Buffer.from(joined(body))];
  return size <= largest ? body : cut(body, 0, largest);
}

const small = 8 * 1024;
const unbounded = { longest: Number.POSITIVE_INFINITY, longestString: Number.POSITIVE_INFINITY };
/** Max bytes of one message. */
const largest = 256 * 1024;
/** Max bytes and number of messages that have not been searched. */
const mostUnread = 1024 * 1024;
const mostBodies = 256;
/** Max secrets, since each costs a search in every line. */
const mostKnown = 300;
const shortest = 4;

/**
 * Masks halves of secrets: a line break may have split one, so the start or the end of a secret at the edge
 * of a line is masked too.
 */
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
/** Characters that identify a half. */
const half = 6;
const hidden = '•••';

import { ByteWriter } from '../../base/byte-writer.ts';
import { maskJson } from '../../base/mask/mask-json.ts';
import { maskedParts } from '../../base/mask/secret-parts.ts';
import { createRedactor, type Redact } from './redact.ts';

/**
 * Secrets of a server: those of its entry, and those that clients recently sent to it, since its log may
 * repeat them. Sent messages are only stored, up to a limit, and searched when something must be redacted:
 * most servers log little, and calls must not wait.
 */
export class ServerSecrets {
  readonly #own: readonly string[];
  readonly #unsearched = new RecentBodies();
  /** Most recently seen last. */
  readonly #known = new Set<string>();
  #redact: Redact | undefined;

  /** `own` are the secrets of its entry. */
  constructor(own: readonly string[]) {
    this.#own = own;
  }

  /** Stores a sent message, or the relevant part of it. */
  add(body: Buffer | undefined): void {
    if (body !== undefined && body.length > 0) this.#unsearched.add(body.subarray(0, maxMessageSize));
  }

  readonly redact: Redact = (text) => {
    this.#search();
    this.#redact ??= createRedactor([...this.#own, ...this.#known]);
    return maskHalves(maskHalves(this.#redact(text), this.#own), this.#known);
  };

  #search(): void {
    const bodies = this.#unsearched.take();
    if (bodies.length === 0) return;
    for (const body of bodies) this.#searchOne(body);
    for (const secret of this.#known) {
      if (this.#known.size <= maxKnown) break;
      this.#known.delete(secret);
    }
  }

  #searchOne(json: string): void {
    const onSecret = (secret: string) => {
      for (const part of maskedParts(secret)) this.#remember(part);
    };
    maskJson(json, { onSecret, isBeginning: Buffer.byteLength(json) >= maxMessageSize, ...unlimited });
  }

  #remember(secret: string): void {
    if (secret.trim().length < minLength) return;
    if (!this.#known.delete(secret)) this.#redact = undefined;
    this.#known.add(secret);
  }
}

/** Returns the JSON of a value that did not arrive as a message. */
export function jsonOf(value: unknown): Buffer | undefined {
  return value === undefined ? undefined : Buffer.from(JSON.stringify(value));
}

/**
 * Copies of the most recent bodies, in packs: the oldest pack is dropped as soon as those after it reach the limits. Keeps
 * no object for a body: objects that live for some hundred calls are what garbage collection takes longest for.
 */
class RecentBodies {
  readonly #bytes = new ByteWriter();
  #lengths: number[] = [];
  /** Oldest first. */
  #packs: BodyPack[] = [];

  add(body: Buffer): void {
    this.#lengths.push(this.#bytes.addBytes(body));
    if (this.#lengths.length < maxUnsearched / 4 && this.#bytes.length < maxUnsearchedSize / 4) return;
    this.#pack();
    while (reachLimits(this.#packs.slice(1))) this.#packs.shift();
  }

  /** Returns all of them, oldest first, and forgets them. */
  take(): readonly string[] {
    this.#pack();
    const bodies = this.#packs.flatMap(textsOf);
    this.#packs = [];
    return bodies;
  }

  #pack(): void {
    this.#packs.push({ bytes: this.#bytes.take(), lengths: this.#lengths });
    this.#lengths = [];
  }
}

/** Bodies, one after the other. */
interface BodyPack {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly lengths: readonly number[];
}

function reachLimits(packs: readonly BodyPack[]): boolean {
  const size = packs.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const count = packs.reduce((sum, { lengths }) => sum + lengths.length, 0);
  return size > maxUnsearchedSize || count >= maxUnsearched;
}

function textsOf({ bytes, lengths }: BodyPack): readonly string[] {
  let end = 0;
  return lengths.map((length) => {
    end += length;
    return Buffer.from(bytes.buffer, end - length, length).toString();
  });
}

const unlimited = { maxLength: Number.POSITIVE_INFINITY, maxStringLength: Number.POSITIVE_INFINITY };
/** Max bytes of one message. */
const maxMessageSize = 256 * 1024;
/** Bytes, or number, of the latest messages that are never dropped before they have been searched. */
const maxUnsearchedSize = 512 * 1024;
const maxUnsearched = 128;
/** Max secrets, since each costs a search in every line. */
const maxKnown = 300;
const minLength = 4;

/**
 * Masks halves of secrets: a line break may have split one, so the start or the end of a secret at the edge
 * of a line is masked too.
 */
function maskHalves(text: string, secrets: Iterable<string>): string {
  return text
    .split('\n')
    .map((line) => {
      let shown = line;
      for (const secret of secrets) if (secret.length >= minLongSecret) shown = maskHalf(shown, secret);
      return shown;
    })
    .join('\n');
}

function maskHalf(line: string, secret: string): string {
  const begins = line.lastIndexOf(secret.slice(0, halfLength));
  const isFirst = begins !== -1 && secret.startsWith(line.slice(begins).trimEnd());
  const shown = isFirst ? `${line.slice(0, begins)}${masked}` : line;
  const ends = shown.indexOf(secret.slice(-halfLength));
  const isSecond = ends !== -1 && secret.endsWith(shown.slice(0, ends + halfLength).trimStart());
  return isSecond ? masked + shown.slice(ends + halfLength) : shown;
}

const minLongSecret = 12;
/** Characters that identify a half. */
const halfLength = 6;
const masked = '•••';

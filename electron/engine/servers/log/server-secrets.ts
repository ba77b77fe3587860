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
  #unsearched: Buffer[] = [];
  #size = 0;
  /** Most recently seen last. */
  readonly #known = new Set<string>();
  #redact: Redact | undefined;

  /** `own` are the secrets of its entry. */
  constructor(own: readonly string[]) {
    this.#own = own;
  }

  /** Stores a sent message, or the relevant part of it. */
  add(body: Buffer | undefined): void {
    if (body === undefined) return;
    const stored = copySmall(body);
    this.#unsearched.push(stored);
    this.#size += stored.length;
    while (this.#size > maxUnsearchedSize || this.#unsearched.length > maxUnsearched)
      this.#size -= this.#unsearched.shift()?.length ?? 0;
  }

  readonly redact: Redact = (text) => {
    this.#search();
    this.#redact ??= createRedactor([...this.#own, ...this.#known]);
    return maskHalves(maskHalves(this.#redact(text), this.#own), this.#known);
  };

  #search(): void {
    if (this.#unsearched.length === 0) return;
    const bodies = this.#unsearched;
    [this.#unsearched, this.#size] = [[], 0];
    for (const body of bodies) this.#searchOne(body.toString('utf8'));
    for (const secret of this.#known) {
      if (this.#known.size <= maxKnown) break;
      this.#known.delete(secret);
    }
  }

  #searchOne(json: string): void {
    const onSecret = (secret: string) => {
      for (const part of maskedParts(secret)) this.#remember(part);
    };
    maskJson(json, { onSecret, isBeginning: json.length >= maxMessageSize, ...unlimited });
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

/** Copies small messages, which would otherwise keep large buffers alive. */
function copySmall(body: Buffer): Buffer {
  return body.length <= maxSmallSize ? Buffer.from(body) : body.subarray(0, maxMessageSize);
}

const maxSmallSize = 8 * 1024;
const unlimited = { maxLength: Number.POSITIVE_INFINITY, maxStringLength: Number.POSITIVE_INFINITY };
/** Max bytes of one message. */
const maxMessageSize = 256 * 1024;
/** Max bytes and number of messages that have not been searched. */
const maxUnsearchedSize = 1024 * 1024;
const maxUnsearched = 256;
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

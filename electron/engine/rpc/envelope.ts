import { BROKEN, matches, skipSpace, skipString, skipValue } from './json-scan.ts';

/** Where the JSON of a member lies in the bytes; `start` is -1 where there is no such member. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where the parts of a message lie that a hub reads or replaces; everything else is payload. */
export interface Envelope {
  readonly jsonrpc: Span;
  readonly id: Span;
  readonly method: Span;
  readonly params: Span;
  readonly result: Span;
  readonly error: Span;
  /** Members of `params`. */
  readonly name: Span;
  readonly uri: Span;
  readonly ref: Span;
  readonly progressToken: Span;
  /** Members of `params.ref`. */
  readonly refName: Span;
  readonly refUri: Span;
  /** Member of `params._meta`. */
  readonly metaToken: Span;
}

/**
 * Reads where things are, in one pass that also proves that the bytes are one JSON object and nothing else. Undefined
 * for what is not, and for what only a full parse may judge: a member of the envelope that stands there twice, or
 * whose object has a key written with escapes. Inside the payload both are ordinary.
 */
export function scanEnvelope(bytes: Uint8Array): Envelope | undefined {
  const scan = new Scan(bytes);
  const start = skipSpace(bytes, 0);
  if (bytes[start] !== OPEN_BRACE) return undefined;
  const end = scan.object(start, 'message');
  return end !== BROKEN && skipSpace(bytes, end) === bytes.length ? scan : undefined;
}

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const ABSENT: Span = { start: -1, end: -1 };

/** The objects whose members are looked at. */
type Level = 'message' | 'params' | 'meta' | 'ref';

class Scan implements Envelope {
  jsonrpc = ABSENT;
  id = ABSENT;
  method = ABSENT;
  params = ABSENT;
  result = ABSENT;
  error = ABSENT;
  name = ABSENT;
  uri = ABSENT;
  ref = ABSENT;
  progressToken = ABSENT;
  refName = ABSENT;
  refUri = ABSENT;
  metaToken = ABSENT;
  readonly #bytes: Uint8Array;
  #hasMeta = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** The position after the object at `at`, its members noted. */
  object(at: number, level: Level): number {
    const bytes = this.#bytes;
    let position = skipSpace(bytes, at + 1);
    if (bytes[position] === CLOSE_BRACE) return position + 1;
    for (;;) {
      position = this.#member(position, level);
      if (position === BROKEN) return BROKEN;
      position = skipSpace(bytes, position);
      if (bytes[position] === CLOSE_BRACE) return position + 1;
      if (bytes[position] !== COMMA) return BROKEN;
      position = skipSpace(bytes, position + 1);
    }
  }

  #member(at: number, level: Level): number {
    const bytes = this.#bytes;
    if (bytes[at] !== QUOTE) return BROKEN;
    const keyEnd = skipString(bytes, at);
    if (keyEnd === BROKEN || hasEscape(bytes, at + 1, keyEnd)) return BROKEN;
    const colon = skipSpace(bytes, keyEnd);
    if (bytes[colon] !== COLON) return BROKEN;
    const start = skipSpace(bytes, colon + 1);
    const keyLength = keyEnd - at - 2;
    switch (level) {
      case 'message':
        return this.#messageMember(at + 1, keyLength, start);
      case 'params':
        return this.#paramsMember(at + 1, keyLength, start);
      case 'meta':
        return this.#metaMember(at + 1, keyLength, start);
      case 'ref':
        return this.#refMember(at + 1, keyLength, start);
    }
  }

  #messageMember(key: number, keyLength: number, start: number): number {
    const bytes = this.#bytes;
    switch (keyLength) {
      case 2:
        if (!matches(bytes, key, 'id')) break;
        this.id = this.#value(this.id, start);
        return this.id.end;
      case 5:
        if (!matches(bytes, key, 'error')) break;
        this.error = this.#value(this.error, start);
        return this.error.end;
      case 6:
        return this.#longMember(key, start);
      case 7:
        if (!matches(bytes, key, 'jsonrpc')) break;
        this.jsonrpc = this.#value(this.jsonrpc, start);
        return this.jsonrpc.end;
    }
    return skipValue(bytes, start);
  }

  /** The three that have six letters. */
  #longMember(key: number, start: number): number {
    const bytes = this.#bytes;
    if (matches(bytes, key, 'result')) {
      this.result = this.#value(this.result, start);
      return this.result.end;
    }
    if (matches(bytes, key, 'params')) {
      this.params = this.#object(this.params, start, 'params');
      return this.params.end;
    }
    if (!matches(bytes, key, 'method')) return skipValue(bytes, start);
    this.method = this.#value(this.method, start);
    return this.method.end;
  }

  #paramsMember(key: number, keyLength: number, start: number): number {
    const bytes = this.#bytes;
    switch (keyLength) {
      case 3:
        if (matches(bytes, key, 'uri')) {
          this.uri = this.#value(this.uri, start);
          return this.uri.end;
        }
        if (!matches(bytes, key, 'ref')) break;
        this.ref = this.#object(this.ref, start, 'ref');
        return this.ref.end;
      case 4:
        if (!matches(bytes, key, 'name')) break;
        this.name = this.#value(this.name, start);
        return this.name.end;
      case 5:
        if (!matches(bytes, key, '_meta')) break;
        return this.#meta(start);
      case 13:
        if (!matches(bytes, key, 'progressToken')) break;
        this.progressToken = this.#value(this.progressToken, start);
        return this.progressToken.end;
    }
    return skipValue(bytes, start);
  }

  #metaMember(key: number, keyLength: number, start: number): number {
    if (keyLength !== 13 || !matches(this.#bytes, key, 'progressToken')) return skipValue(this.#bytes, start);
    this.metaToken = this.#value(this.metaToken, start);
    return this.metaToken.end;
  }

  #refMember(key: number, keyLength: number, start: number): number {
    const bytes = this.#bytes;
    if (keyLength === 4 && matches(bytes, key, 'name')) {
      this.refName = this.#value(this.refName, start);
      return this.refName.end;
    }
    if (keyLength !== 3 || !matches(bytes, key, 'uri')) return skipValue(bytes, start);
    this.refUri = this.#value(this.refUri, start);
    return this.refUri.end;
  }

  #meta(start: number): number {
    if (this.#hasMeta) return BROKEN;
    this.#hasMeta = true;
    return this.#object(ABSENT, start, 'meta').end;
  }

  /** A second one of the same name makes the whole odd. */
  #value(before: Span, start: number): Span {
    return { start, end: before.start === -1 ? skipValue(this.#bytes, start) : BROKEN };
  }

  #object(before: Span, start: number, level: Level): Span {
    if (this.#bytes[start] !== OPEN_BRACE) return this.#value(before, start);
    return { start, end: before.start === -1 ? this.object(start, level) : BROKEN };
  }
}

function hasEscape(bytes: Uint8Array, start: number, end: number): boolean {
  for (let position = start; position < end; position += 1) if (bytes[position] === BACKSLASH) return true;
  return false;
}

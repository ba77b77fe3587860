import { isUtf8 } from 'node:buffer';

/**
 * Converts a stream to UTF-8 from its declared charset; some programs, and PowerShell between two of them,
 * write UTF-16 without saying so.
 */
export class Utf8Input {
  #decoder: InstanceType<typeof TextDecoder> | 'none' | undefined;
  /** First bytes, which do not show the encoding yet. */
  #start: Buffer = empty;

  constructor(charset?: string) {
    this.#decoder = charset === undefined || unicode.test(charset) ? undefined : decoderOf(charset);
  }

  read(chunk: Buffer): Buffer {
    if (this.#decoder === 'none') return chunk;
    if (this.#decoder !== undefined) return Buffer.from(this.#decoder.decode(chunk, { stream: true }));
    const bytes = this.#start.length === 0 ? chunk : Buffer.concat([this.#start, chunk]);
    const { encoding, isSure } = encodingOf(bytes);
    this.#start = isSure ? empty : bytes;
    if (!isSure) return empty;
    this.#decoder = encoding === undefined ? 'none' : new TextDecoder(encoding);
    return this.read(bytes);
  }

  /** Returns the rest of a stream that has ended. */
  end(): Buffer {
    return this.#start;
  }
}

/**
 * Returns text in UTF-8. Where it is in neither UTF-8 nor a declared charset, a server most likely writes
 * windows-1252; bytes that no text has are left as they are.
 */
export function inUtf8(text: Buffer): Buffer {
  if (isUtf8(text) || text.includes(0)) return text;
  return Buffer.from(new TextDecoder('windows-1252').decode(text));
}

/** Returns the charset that a content type declares. */
export function charsetIn(contentType: string): string | undefined {
  return charset.exec(contentType)?.[1];
}

const charset = /;\s{0,8}charset\s{0,8}=\s{0,8}["']?([\w.:-]{1,40})/i;
const empty: Buffer = Buffer.alloc(0);

/** Charsets that are detected from the bytes instead. */
const unicode = /^utf-?(?:8|16(?:le|be)?)$/i;

function decoderOf(charset: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(charset);
  } catch {
    // No decoder knows this charset.
    return undefined;
  }
}

interface Encoding {
  readonly encoding?: 'utf-16le' | 'utf-16be';
  readonly isSure: boolean;
}

/**
 * Detects UTF-16 by its byte order mark, or by its zero bytes: a stream of messages starts with ASCII, where
 * every other byte is 0.
 */
function encodingOf(bytes: Buffer): Encoding {
  const [first, second] = bytes;
  if (second === undefined) return { isSure: false };
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', isSure: true };
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', isSure: true };
  if ((first === 0) === (second === 0)) return { isSure: true };
  if (bytes.length < 4) return { isSure: false };
  const isRepeated = (first === 0) === (bytes[2] === 0) && (second === 0) === (bytes[3] === 0);
  if (!isRepeated) return { isSure: true };
  return { encoding: second === 0 ? 'utf-16le' : 'utf-16be', isSure: true };
}

import { ByteWriter } from '../base/byte-writer.ts';

/** The parts of a record that must not be on disk before they are masked. */
export interface RecordContents {
  /** JSON as sent, truncated if long. */
  readonly args?: Buffer | undefined;
  readonly result?: Buffer | undefined;
  /** SHA-256 of the arguments in hexadecimal digits, for the audit log, if they are long. */
  readonly digest?: string | undefined;
  /** See `NewRow`. */
  readonly text?: string | undefined;
  /** The name, if the client may have made it up. */
  readonly name?: string | undefined;
}

/** Contents of records, one after the other. */
export interface PackedContents {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes of each part of each record, in the order of {@link parts}; -1 for one that is absent. */
  readonly lengths: readonly number[];
}

const parts = ['args', 'result', 'digest', 'text', 'name'] as const;
const noTexts = {};
/** Characters of a text or name that are examined: many more than are stored. */
const maxText = 64 * 1024;

/** Packs the contents of records as they come, so that they cost little while they wait. */
export class ContentsPacker {
  readonly #bytes = new ByteWriter();
  #lengths: number[] = [];

  get byteLength(): number {
    return this.#bytes.length;
  }

  /** Adds the bodies of one record; {@link ContentsPacker.addTexts} must follow. */
  add(args: Buffer | undefined, result: Buffer | undefined): void {
    this.#addBytes(args);
    this.#addBytes(result);
  }

  addTexts({ digest, text, name }: Omit<RecordContents, 'args' | 'result'> = noTexts): void {
    this.#addText(digest);
    this.#addText(text);
    this.#addText(name);
  }

  take(): PackedContents {
    const lengths = this.#lengths;
    this.#lengths = [];
    return { bytes: this.#bytes.take(), lengths };
  }

  #addBytes(bytes: Buffer | undefined): void {
    this.#lengths.push(bytes === undefined ? -1 : this.#bytes.addBytes(bytes));
  }

  #addText(text: string | undefined): void {
    this.#lengths.push(text === undefined ? -1 : this.#bytes.addText(text.slice(0, maxText)));
  }
}

/** Returns the contents of each record; bodies are views of the packed bytes. */
export function* unpackContents({ bytes, lengths }: PackedContents): Generator<RecordContents> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  for (let record = 0; record < lengths.length; record += parts.length) {
    const [args, result, digest, text, name] = parts.map((_, part) => {
      const length = lengths[record + part] ?? -1;
      if (length < 0) return undefined;
      at += length;
      return all.subarray(at - length, at);
    });
    yield { args, result, digest: digest?.toString(), text: text?.toString(), name: name?.toString() };
  }
}

/**
 * Returns the contents without arguments and results, and without texts that may repeat a secret that only these
 * show to be one.
 */
export function withoutBodies(packed: PackedContents): PackedContents {
  const packer = new ContentsPacker();
  for (const { args, result, text, name } of unpackContents(packed)) {
    packer.add(undefined, undefined);
    packer.addTexts({ text: args === undefined && result === undefined ? text : undefined, name });
  }
  return packer.take();
}

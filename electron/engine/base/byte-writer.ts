/**
 * Gathers bytes outside of V8's heap, where they cost no garbage collection however long they wait. Reuses its
 * memory after {@link ByteWriter.take}.
 */
export class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(initialBytes);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Appends a text as UTF-8, and returns its length in bytes. */
  addText(text: string): number {
    this.#makeRoom(text.length * maxBytesPerCodeUnit);
    const length = this.#bytes.write(text, this.#length);
    this.#length += length;
    return length;
  }

  /** Returns how many it has appended. */
  addBytes(bytes: Buffer): number {
    this.#makeRoom(bytes.length);
    bytes.copy(this.#bytes, this.#length);
    this.#length += bytes.length;
    return bytes.length;
  }

  /** Returns everything gathered so far in memory of its own, and begins again. */
  take(): Uint8Array<ArrayBuffer> {
    const taken = new Uint8Array(this.#bytes.subarray(0, this.#length));
    this.clear();
    return taken;
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > maxKeptBytes) this.#bytes = Buffer.allocUnsafeSlow(initialBytes);
  }

  #makeRoom(length: number): void {
    const needed = this.#length + length;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}

const maxBytesPerCodeUnit = 3;
const initialBytes = 4 * 1024;
/** Enough for calls of ordinary size, so that a long one does not keep its memory. */
const maxKeptBytes = 256 * 1024;

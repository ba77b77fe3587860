/**
 * The small part of the D-Bus wire format that a yes-or-no question needs: calls with string arguments, and
 * the parts of replies and signals we read. The libraries for it are unmaintained and add a dozen packages.
 */
export interface DbusCall {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly args: readonly string[];
}

export interface DbusMessage {
  readonly kind: 'call' | 'return' | 'error' | 'signal' | 'unknown';
  /** Serial of the call that a return or an error replies to. */
  readonly replyTo?: number;
  readonly member?: string;
  /** Value of a body that is one boolean variant; undefined for any other body. */
  readonly flag?: boolean;
}

/** Encodes a method call. `serial` is any unused number except 0. */
export function encodeCall(call: DbusCall, serial: number): Buffer {
  const body = new Writer();
  for (const argument of call.args) body.text(argument);
  const head = new Writer();
  head.bytes(0x6c, methodCall, 0, protocolVersion).number(body.length).number(serial);
  const fields = new Writer();
  fields.field(fieldCodes.path, 'o', call.path).field(fieldCodes.interface, 's', call.interface);
  fields.field(fieldCodes.member, 's', call.member).field(fieldCodes.destination, 's', call.destination);
  if (call.args.length > 0) fields.field(fieldCodes.signature, 'g', 's'.repeat(call.args.length));
  // The fields start at offset 16, a multiple of 8, so they can be laid out separately.
  head.number(fields.length);
  return Buffer.concat([head.buffer(), fields.align(8).buffer(), body.buffer()]);
}

/** Returns the length of the message at the start of the buffer, or undefined if too little has arrived. */
export function messageLength(buffer: Buffer): number | undefined {
  if (buffer.length < fixedLength) return undefined;
  const read = new Reader(buffer, 4);
  const body = read.number();
  read.number();
  return bodyStart(read.number()) + body;
}

/** Decodes a complete message. Throws if it is malformed. */
export function decodeMessage(buffer: Buffer): DbusMessage {
  const read = new Reader(buffer, 12);
  const fieldsLength = read.number();
  const fields = readFields(read, fixedLength + fieldsLength);
  const start = bodyStart(fieldsLength);
  const flag = fields.signature === 'v' ? readFlag(new Reader(buffer, start)) : undefined;
  return {
    kind: messageKinds[buffer[1] ?? 0] ?? 'unknown',
    ...(fields.replyTo === undefined ? {} : { replyTo: fields.replyTo }),
    ...(fields.member === undefined ? {} : { member: fields.member }),
    ...(flag === undefined ? {} : { flag }),
  };
}

interface Fields {
  readonly replyTo?: number;
  readonly member?: string;
  readonly signature?: string;
}

function readFields(read: Reader, end: number): Fields {
  let fields: Fields = {};
  while (read.offset < end) {
    read.align(8);
    const code = read.byte();
    const type = read.signature();
    const value = type === 'u' ? read.number() : type === 'g' ? read.signature() : read.text();
    if (code === fieldCodes.replyTo && typeof value === 'number') fields = { ...fields, replyTo: value };
    if (code === fieldCodes.member && typeof value === 'string') fields = { ...fields, member: value };
    if (code === fieldCodes.signature && typeof value === 'string') fields = { ...fields, signature: value };
  }
  return fields;
}

function readFlag(read: Reader): boolean | undefined {
  return read.signature() === 'b' ? read.number() === 1 : undefined;
}

function bodyStart(fieldsLength: number): number {
  return Math.ceil((fixedLength + fieldsLength) / 8) * 8;
}

/** Values are aligned to their own size, counted from the start. */
class Writer {
  readonly #bytes: number[] = [];

  get length(): number {
    return this.#bytes.length;
  }

  align(size: number): this {
    while (this.#bytes.length % size !== 0) this.#bytes.push(0);
    return this;
  }

  bytes(...values: readonly number[]): this {
    this.#bytes.push(...values);
    return this;
  }

  number(value: number): this {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return this.align(4).bytes(...bytes);
  }

  text(value: string): this {
    const bytes = Buffer.from(value, 'utf8');
    return this.number(bytes.length).bytes(...bytes, 0);
  }

  signature(value: string): this {
    return this.bytes(value.length, ...Buffer.from(value, 'latin1'), 0);
  }

  field(code: number, type: 'o' | 's' | 'g', value: string): this {
    this.align(8).bytes(code).signature(type);
    return type === 'g' ? this.signature(value) : this.text(value);
  }

  buffer(): Buffer {
    return Buffer.from(this.#bytes);
  }
}

/** Reads in the byte order given by the message's first byte. */
class Reader {
  readonly #buffer: Buffer;
  readonly #little: boolean;
  offset: number;

  constructor(buffer: Buffer, offset: number) {
    this.#buffer = buffer;
    this.#little = buffer[0] === 0x6c;
    this.offset = offset;
  }

  align(size: number): void {
    this.offset = Math.ceil(this.offset / size) * size;
  }

  byte(): number {
    const value = this.#buffer.readUInt8(this.offset);
    this.offset += 1;
    return value;
  }

  number(): number {
    this.align(4);
    const value = this.#little
      ? this.#buffer.readUInt32LE(this.offset)
      : this.#buffer.readUInt32BE(this.offset);
    this.offset += 4;
    return value;
  }

  text(): string {
    return this.#characters(this.number());
  }

  signature(): string {
    return this.#characters(this.byte());
  }

  #characters(length: number): string {
    const value = this.#buffer.toString('utf8', this.offset, this.offset + length);
    this.offset += length + 1;
    return value;
  }
}

const methodCall = 1;
const protocolVersion = 1;
const fixedLength = 16;
const messageKinds: readonly DbusMessage['kind'][] = ['unknown', 'call', 'return', 'error', 'signal'];
const fieldCodes = { path: 1, interface: 2, member: 3, replyTo: 5, destination: 6, signature: 8 } as const;

/** Small ONNX models, written out: just as much of the format (protobuf, onnx.proto) as tests need. */

/** Numbers of element types. */
const types = { float: 1, int32: 6, int64: 7, float16: 10 } as const;
type ElementType = keyof typeof types;

export interface ModelValue {
  readonly name: string;
  readonly type: ElementType;
  readonly dims: readonly (string | number)[];
}

export interface ModelWeights {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values: Float32Array | BigInt64Array;
  /** A file beside the model that holds them from its first byte on, instead of the model itself. */
  readonly outside?: string;
}

export interface ModelNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, number | readonly number[] | string>>;
}

export interface ModelGraph {
  readonly nodes: readonly ModelNode[];
  readonly weights: readonly ModelWeights[];
  readonly inputs: readonly ModelValue[];
  readonly outputs: readonly ModelValue[];
}

/** The bytes of a model file. */
export function onnxModel({ nodes, weights, inputs, outputs }: ModelGraph): Buffer {
  const graph = Buffer.concat([
    ...nodes.map((one) => text(1, nodeBytes(one))),
    text(2, 'graph'),
    ...weights.map((one) => text(5, weightBytes(one))),
    ...inputs.map((one) => text(11, valueBytes(one))),
    ...outputs.map((one) => text(12, valueBytes(one))),
  ]);
  const opset = Buffer.concat([text(1, ''), number(2, 17)]);
  return Buffer.concat([number(1, 8), text(7, graph), text(8, opset)]);
}

function nodeBytes({ op, inputs, outputs, attributes = {} }: ModelNode): Buffer {
  return Buffer.concat([
    ...inputs.map((one) => text(1, one)),
    ...outputs.map((one) => text(2, one)),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) => text(5, attributeBytes(name, value))),
  ]);
}

function attributeBytes(name: string, value: number | readonly number[] | string): Buffer {
  const named = text(1, name);
  if (typeof value === 'number') return Buffer.concat([named, number(3, value), number(20, 2)]);
  if (typeof value === 'string') return Buffer.concat([named, text(4, value), number(20, 3)]);
  return Buffer.concat([named, ...value.map((one) => number(8, one)), number(20, 7)]);
}

function weightBytes({ name, dims, values, outside }: ModelWeights): Buffer {
  const type = values instanceof Float32Array ? types.float : types.int64;
  const head = [...dims.map((one) => number(1, one)), number(2, type), text(8, name)];
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  if (outside === undefined) return Buffer.concat([...head, text(9, raw)]);
  const facts = { location: outside, offset: '0', length: String(raw.length) };
  const entries = Object.entries(facts).map(([key, value]) =>
    text(13, Buffer.concat([text(1, key), text(2, value)])),
  );
  return Buffer.concat([...head, ...entries, number(14, 1)]);
}

function valueBytes({ name, type, dims }: ModelValue): Buffer {
  const sizes = dims.map((one) => text(1, typeof one === 'string' ? text(2, one) : number(1, one)));
  const tensor = Buffer.concat([number(1, types[type]), text(2, Buffer.concat(sizes))]);
  return Buffer.concat([text(1, name), text(2, text(1, tensor))]);
}

/** A field with a whole number. */
function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

/** A field with a text, bytes, or another message. */
function text(field: number, value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  while (left > 127n) {
    bytes.push(Number(left & 127n) | 128);
    left >>= 7n;
  }
  return Buffer.from([...bytes, Number(left)]);
}

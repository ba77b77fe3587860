import { isRecord, printJson } from '../../../shared/json.ts';
import type { JsonRpcErrorObject, JsonRpcId, JsonRpcMessage } from './message.ts';
import { type MessageKind, messageKind, type UncheckedEnvelope } from './message-kind.ts';
import { type MessageChanges, type ParamChanges, type ParamKey, RawMessage } from './raw-message.ts';

type Params = Readonly<Record<string, unknown>>;

/** A message backed by its parsed value: one created here, or one that a transport had to parse. */
export class ObjectMessage extends RawMessage {
  readonly kind: MessageKind;
  readonly value: JsonRpcMessage;
  readonly source = undefined;
  readonly paramsBytes = undefined;
  readonly argumentsBytes = undefined;
  readonly resultBytes: Buffer | undefined = undefined;
  readonly byteLength = undefined;

  constructor(value: JsonRpcMessage, kind: MessageKind = messageKind(value)) {
    super();
    this.value = value;
    this.kind = kind;
  }

  get id(): JsonRpcId | null | undefined {
    return this.#unchecked.id as JsonRpcId | null | undefined;
  }

  get method(): string | undefined {
    return this.#unchecked.method as string | undefined;
  }

  get params(): Params | undefined {
    return this.#unchecked.params as Params | undefined;
  }

  get result(): unknown {
    return this.#unchecked.result;
  }

  get resultType(): string | undefined {
    return printJson(isRecord(this.result) ? this.result.resultType : undefined);
  }

  get resultMeta(): string | undefined {
    return printJson(isRecord(this.result) ? this.result._meta : undefined);
  }

  get error(): JsonRpcErrorObject | undefined {
    return this.#unchecked.error as JsonRpcErrorObject | undefined;
  }

  get idText(): string {
    return printJson(this.id ?? null) ?? 'null';
  }

  param(member: ParamKey): unknown {
    const key = metaKeys[member];
    const meta = this.params?._meta;
    if (member === 'meta') return meta;
    if (key === undefined) return this.params?.[member];
    return isRecord(meta) ? meta[key] : undefined;
  }

  paramText(member: ParamKey): string | undefined {
    return printJson(this.param(member));
  }

  with({ id, params }: MessageChanges): RawMessage {
    const before = this.params;
    const changed = {
      ...this.value,
      ...(id === undefined || this.id === undefined ? {} : { id: JSON.parse(id) }),
      ...(params === undefined || !isRecord(before) ? {} : { params: changeParams(before, params) }),
    };
    return new ObjectMessage(changed, this.kind);
  }

  line(): Buffer {
    return lineOf(this.value);
  }

  /** Untyped view: `kind` has classified the message, but the types of its members are not trusted. */
  get #unchecked(): UncheckedEnvelope {
    return this.value as UncheckedEnvelope;
  }
}

/** Names of the members of `_meta`. */
const metaKeys: Partial<Record<ParamKey, string>> = {
  metaToken: 'progressToken',
  idempotencyKey: 'patchbay/idempotencyKey',
  clientCapabilities: 'patchbay/clientCapabilities',
  sessionCapabilities: 'patchbay/sessionCapabilities',
};

/**
 * Serializes a value as a line. U+2028 and U+2029 are legal in JSON, but some readers split lines at them, so
 * they are escaped.
 */
export function lineOf(value: unknown): Buffer {
  const text = JSON.stringify(value);
  if (!text.includes('\u2028') && !text.includes('\u2029')) return Buffer.from(`${text}\n`);
  return Buffer.from(`${text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`);
}

function changeParams(params: Params, changes: ParamChanges): Params {
  const changed: Record<string, unknown> = { ...params };
  for (const member of ['name', 'uri', 'progressToken'] as const) replace(changed, member, changes[member]);
  if (isRecord(params.ref)) {
    const ref = { ...params.ref };
    replace(ref, 'name', changes.refName);
    replace(ref, 'uri', changes.refUri);
    changed.ref = ref;
  }
  if (isRecord(params._meta)) {
    const meta = { ...params._meta };
    replace(meta, 'progressToken', changes.metaToken);
    changed._meta = meta;
  }
  replace(changed, '_meta', changes.meta);
  return changed;
}

function replace(record: Record<string, unknown>, member: string, text: string | undefined): void {
  if (text !== undefined && member in record) record[member] = JSON.parse(text);
}

import { type ListMethod, listKeys } from '../../../../shared/model/mcp.ts';
import { digestOf, digestOfText } from '../../base/digest.ts';
import type { JsonRpcMessage } from '../../jsonrpc/message.ts';
import { ObjectMessage } from '../../jsonrpc/object-message.ts';
import type { MessageChanges, RawMessage } from '../../jsonrpc/raw-message.ts';
import type { RawItem } from '../contract.ts';
import { hasOriginalTexts, serializeItems } from '../item-text.ts';

/** A list ready to send: serialized once, however many clients request it. */
export interface PreparedList {
  readonly items: readonly RawItem[];
  /** The response, still without a request id. */
  readonly response: RawMessage;
  /** Digest of the text of its items: equal exactly if two lists are written identically. */
  digest(): string;
  /** Digest of its items as values, which is all that a reader of the list knows; see `digestOf`. */
  digestOfValue(): string;
}

export function prepareList(method: ListMethod, items: readonly RawItem[]): PreparedList {
  const text = serializeItems(items);
  const head = `{"${listKeys[method]}":`;
  const isPlain = !/[\u2028\u2029]/.test(text);
  const bytes = Buffer.from(head + (isPlain ? text : escaped(text)) + tail);
  const written = bytes.subarray(Buffer.byteLength(head), bytes.length - tail.length);
  let digest: string | undefined;
  const textDigest = () => {
    // The escapes belong to the line, not to the list.
    digest ??= digestOfText(isPlain ? written : serializeItems(items));
    return digest;
  };
  return {
    items,
    response: new PreparedResponse({ [listKeys[method]]: items }, bytes),
    digest: textDigest,
    digestOfValue: () => (hasOriginalTexts(items) ? digestOf(items) : textDigest()),
  };
}

/** Closes the result and the message. */
const messageEnd = '}\n';
const tail = `}${messageEnd}`;

/** Escapes line separators, see `lineOf`. */
function escaped(text: string): string {
  return text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

/** A response in which only the id is missing. */
class PreparedResponse extends ObjectMessage {
  override readonly resultBytes: Buffer;
  readonly #result: unknown;
  /** The text of the result and everything after it. */
  readonly #bytes: Buffer;

  constructor(
    result: unknown,
    bytes: Buffer,
    idText = '0',
    resultBytes = bytes.subarray(0, bytes.length - messageEnd.length),
  ) {
    super({ jsonrpc: '2.0', id: JSON.parse(idText), result } as JsonRpcMessage, 'result');
    this.#result = result;
    this.#bytes = bytes;
    this.resultBytes = resultBytes;
  }

  override with({ id }: MessageChanges): RawMessage {
    return id === undefined ? this : new PreparedResponse(this.#result, this.#bytes, id, this.resultBytes);
  }

  override line(): Buffer {
    const head = Buffer.from(`{"jsonrpc":"2.0","id":${escaped(this.idText)},"result":`);
    return Buffer.concat([head, this.#bytes]);
  }
}

import { isRecord } from '../../../shared/json.ts';
import { joined, sizeOf } from '../rpc/pieces.ts';
import { RawMessage } from '../rpc/raw-message.ts';
import { readMessage } from '../rpc/read-message.ts';
import { readItem, textOfItems, withMembers } from './item-text.ts';
import { annotations, bool, icons, listOf, type Mend, number, record, shaped, text } from './mend-member.ts';

/**
 * An answer that a client on the official SDKs takes: these drop or refuse a whole answer for null in a member of the
 * protocol's own that may be missing. Members of a result, of its content blocks and of its messages are judged; what a
 * server says in them is not. Answers without null and empty lists are sent on unread.
 */
export function strictAnswer(method: string, answer: unknown): unknown {
  const members = results.get(method);
  if (members === undefined || !(answer instanceof RawMessage)) return answer;
  const pieces = answer.resultPieces;
  if (pieces === undefined || sizeOf(pieces) > largest) return answer;
  const bytes = joined(pieces);
  if (!signs.some((sign) => bytes.includes(sign))) return answer;
  const result = readItem(bytes.toString());
  if (!isRecord(result)) return answer;
  const changes = Object.entries(members).flatMap(([name, mend]) => {
    if (!Object.hasOwn(result, name)) return [];
    const mended = mend(result[name], result);
    return mended === result[name] && mended !== undefined ? [] : [[name, mended] as const];
  });
  if (changes.length === 0) return answer;
  const written = textOfItems([withMembers(result, Object.fromEntries(changes))]).slice(1, -1);
  const mended = readMessage(Buffer.from(`{"jsonrpc":"2.0","id":${answer.idText},"result":${written}}`));
  return mended ?? answer;
}

/** Longer ones would have to be read at a cost that is felt. */
const largest = 4 * 1024 * 1024;

/** As serializers write members that are null or an empty list; inside of text the quote before the colon would be escaped. */
const signs = ['":null', '": null', '":[]', '": []', '[null', ',null'].map((sign) => Buffer.from(sign));

const uri = { uri: text, mimeType: text, _meta: record };

const blockMembers = shaped({
  annotations,
  _meta: record,
  icons,
  title: text,
  description: text,
  mimeType: text,
  size: number,
  resource: shaped(uri),
});

const block: Mend = (value, item) =>
  typeof value === 'string' ? { type: 'text', text: value } : blockMembers(value, item);

const blocks: Mend = (value, item) =>
  Array.isArray(value) ? listOf(block)(value, item) : block(value, item);

/** By method, the members of its result that clients judge. */
const results: ReadonlyMap<string, Readonly<Record<string, Mend>>> = new Map<
  string,
  Readonly<Record<string, Mend>>
>([
  ['tools/call', { _meta: record, isError: bool, structuredContent: record, content: listOf(block) }],
  ['prompts/get', { _meta: record, description: text, messages: listOf(shaped({ content: blocks })) }],
  ['resources/read', { _meta: record, contents: listOf(shaped(uri)) }],
  ['completion/complete', { _meta: record, completion: shaped({ total: number, hasMore: bool }) }],
]);

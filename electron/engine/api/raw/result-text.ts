import { memberSpans } from '../../jsonrpc/json/json-spans.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';

/** Returns the JSON of a result as its server wrote it. */
export function resultBytes(answer: RawMessage): Buffer {
  return answer.resultBytes ?? Buffer.from(JSON.stringify(answer.result ?? null));
}

/**
 * Adds members to a result, leaving its own unchanged and never replacing them. A result that is no object,
 * which no tool's is, goes under `result`.
 */
export function resultWith(result: Buffer, members: Readonly<Record<string, unknown>>): string {
  const text = result.toString('utf8').trim();
  const added = Object.entries(members).filter(([name]) => memberSpans(result, name).length === 0);
  const tail = added.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',');
  if (!text.startsWith('{')) return `{"result":${text},${tail}}`;
  if (tail === '') return text;
  const inside = text.slice(1, -1).trim();
  return inside === '' ? `{${tail}}` : `{${inside},${tail}}`;
}

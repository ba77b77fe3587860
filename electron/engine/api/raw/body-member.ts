import { memberSpans } from '../../jsonrpc/json/json-spans.ts';

/**
 * Returns the JSON of a member of the body, unchanged: parsing and writing numbers would round them. Removes
 * line breaks, which have no meaning in JSON.
 */
export function bodyMember(body: Buffer, name: string): string | undefined {
  const span = memberSpans(body, name).at(-1);
  return span === undefined
    ? undefined
    : body.toString('utf8', span.start, span.end).replace(/[\r\n]+/g, ' ');
}

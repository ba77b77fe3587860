import { memberSpans } from '../../rpc/json-spans.ts';

/**
 * The JSON of a member of a body, as it was written: what tools are called with is passed on so, because to read numbers
 * and write them again rounds them. Without line breaks, of which JSON has none that matter.
 */
export function bodyMember(body: Buffer, name: string): string | undefined {
  const span = memberSpans(body, name).at(-1);
  return span === undefined
    ? undefined
    : body.toString('utf8', span.start, span.end).replace(/[\r\n]+/g, ' ');
}

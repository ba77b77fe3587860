import { parseJson } from '../../../../shared/json.ts';
import { proofMember } from '../../../../shared/model/client/proof.ts';
import type { MaskedJson } from '../../base/mask/mask-json.ts';
import { memberSpans } from '../../jsonrpc/json/json-spans.ts';

/**
 * Recognizes the call of a connection test. It must have no arguments, so that nothing else can pass as one.
 */
export function isConnectionTest(method: string | undefined, params: Buffer | undefined): boolean {
  if (method !== 'tools/call' || params?.includes(proofMember) !== true) return false;
  const { _meta: meta, arguments: given = {} } = members(params);
  return isObject(given) && Object.keys(given).length === 0 && isObject(meta) && meta[proofMember] === true;
}

/** Returns a note that is stored in place of the answer. */
export function connectionTestNote(answer: MaskedJson, bytes: number | undefined): MaskedJson {
  const note = `(answer to a connection test${bytes === undefined ? '' : `, ${bytes} bytes`}: not stored)`;
  return { ...answer, text: JSON.stringify(note), isCut: false };
}

function members(params: Buffer): Readonly<Record<'_meta' | 'arguments', unknown>> {
  const read = (name: string) => {
    const span = memberSpans(params, name).at(-1);
    return span && parseJson(params.subarray(span.start, span.end).toString('utf8'));
  };
  return { _meta: read('_meta'), arguments: read('arguments') };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

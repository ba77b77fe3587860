import { isRecord } from '../../../shared/json.ts';
import { memberSpans } from './json/json-spans.ts';
import type { JsonRpcErrorObject } from './message-types.ts';
import type { RawMessage } from './raw-message.ts';
import { repairError } from './repair-error.ts';

/** Checks whether a tool marks its own result as an error. */
export function isErrorResult(result: Buffer): boolean {
  const flag = memberSpans(result, 'isError').at(-1);
  return flag !== undefined && result.toString('utf8', flag.start, flag.end) === 'true';
}

/**
 * Estimates whether an answer is an error, cheaply, as it runs on every call: most results are decided without reading their
 * members, long ones by their ends.
 */
export function looksLikeErrorResult(answer: RawMessage): boolean {
  const { resultBytes } = answer;
  // Reading `result` parses the whole message, which is acceptable only if it has no bytes.
  return resultBytes === undefined ? hasFlag(answer.result) : looksLikeErrorBytes(resultBytes);
}

/** Estimates whether the bytes of a result say that it is an error. */
export function looksLikeErrorBytes(result: Buffer): boolean {
  if (result.length > maxScannedBytes)
    return hasErrorFlag(result.subarray(0, endBytes)) || hasErrorFlag(result.subarray(-endBytes));
  return hasErrorFlag(result) && isErrorResult(result);
}

/** Returns the error that some servers report inside a result: in `error`, or in the form of a tool's. */
export function errorInResult(result: unknown): JsonRpcErrorObject | undefined {
  if (!isRecord(result)) return undefined;
  const { error, isError, content } = result;
  if (isRecord(error) || (typeof error === 'string' && error !== '')) return repairError(error);
  return isError === true ? repairError({ message: content }) : undefined;
}

function hasFlag(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true;
}

function hasErrorFlag(bytes: Buffer): boolean {
  const at = bytes.lastIndexOf(flagName);
  return at !== -1 && /^\s*:\s*true/.test(bytes.toString('latin1', at + flagName.length, at + endBytes));
}

const flagName = Buffer.from('"isError"');
const maxScannedBytes = 64 * 1024;
const endBytes = 256;

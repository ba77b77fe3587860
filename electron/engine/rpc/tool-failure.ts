import { memberSpans } from './json-spans.ts';
import { joinPieces, type Pieces, slicePieces, totalBytes } from './pieces.ts';
import type { RawMessage } from './raw-message.ts';

/** Checks whether a tool marks its own result as an error. */
export function isErrorResult(result: Buffer): boolean {
  const flag = memberSpans(result, 'isError').at(-1);
  return flag !== undefined && result.toString('utf8', flag.start, flag.end) === 'true';
}

/**
 * Estimates the same cheaply, as it runs on every call: most results are decided without reading their
 * members, long ones by their ends.
 */
export function looksLikeErrorResult(answer: RawMessage): boolean {
  const { resultPieces } = answer;
  // Reading `result` parses the whole message, which is acceptable only if it has no bytes.
  if (resultPieces === undefined) return hasFlag(answer.result);
  const size = totalBytes(resultPieces);
  if (size > maxScannedBytes) {
    return (
      hasErrorFlag(sliceBytes(resultPieces, 0, endBytes)) ||
      hasErrorFlag(sliceBytes(resultPieces, size - endBytes, size))
    );
  }
  const result = joinPieces(resultPieces);
  return hasErrorFlag(result) && isErrorResult(result);
}

function hasFlag(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true;
}

function sliceBytes(pieces: Pieces, start: number, end: number): Buffer {
  return joinPieces(slicePieces(pieces, start, end));
}

function hasErrorFlag(bytes: Buffer): boolean {
  const at = bytes.lastIndexOf(flagName);
  return at !== -1 && /^\s*:\s*true/.test(bytes.toString('latin1', at + flagName.length, at + endBytes));
}

const flagName = Buffer.from('"isError"');
const maxScannedBytes = 64 * 1024;
const endBytes = 256;

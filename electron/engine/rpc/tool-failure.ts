import { memberSpans } from './json-spans.ts';
import { cut, joined, type Pieces, sizeOf } from './pieces.ts';
import type { RawMessage } from './raw-message.ts';

/** Checks whether a tool marks its own result as an error. */
export function saysItFailed(result: Buffer): boolean {
  const flag = memberSpans(result, 'isError').at(-1);
  return flag !== undefined && result.toString('utf8', flag.start, flag.end) === 'true';
}

/**
 * Estimates the same cheaply, as it runs on every call: most results are decided without reading their
 * members, long ones by their ends.
 */
export function seemsFailed(answer: RawMessage): boolean {
  const { resultPieces } = answer;
  // Reading `result` parses the whole message, which is acceptable only if it has no bytes.
  if (resultPieces === undefined) return hasFlag(answer.result);
  const size = sizeOf(resultPieces);
  if (size > longestRead) {
    return claims(part(resultPieces, 0, endLength)) || claims(part(resultPieces, size - endLength, size));
  }
  const result = joined(resultPieces);
  return claims(result) && saysItFailed(result);
}

function hasFlag(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true;
}

function part(pieces: Pieces, start: number, end: number): Buffer {
  return joined(cut(pieces, start, end));
}

function claims(bytes: Buffer): boolean {
  const at = bytes.lastIndexOf(flagName);
  return at !== -1 && /^\s*:\s*true/.test(bytes.toString('latin1', at + flagName.length, at + endLength));
}

const flagName = Buffer.from('"isError"');
const longestRead = 64 * 1024;
const endLength = 256;

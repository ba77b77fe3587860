import { memberSpans } from './json-spans.ts';
import type { RawMessage } from './raw-message.ts';

/** Whether a tool calls its own result an error. */
export function saysItFailed(result: Buffer): boolean {
  const flag = memberSpans(result, 'isError').at(-1);
  return flag !== undefined && result.toString('utf8', flag.start, flag.end) === 'true';
}

/** The same in the path of every call: most answers are told without their members being read, long ones by their ends. */
export function seemsFailed(answer: RawMessage): boolean {
  const { resultBytes } = answer;
  // To ask for the result is to parse all of the answer, however long it is.
  if (resultBytes === undefined) return hasFlag(answer.result);
  if (resultBytes.length <= longestRead) return claims(resultBytes) && saysItFailed(resultBytes);
  return claims(resultBytes.subarray(0, endLength)) || claims(resultBytes.subarray(-endLength));
}

function hasFlag(result: unknown): boolean {
  return typeof result === 'object' && result !== null && 'isError' in result && result.isError === true;
}

function claims(bytes: Buffer): boolean {
  const at = bytes.lastIndexOf(flagName);
  return at !== -1 && /^\s*:\s*true/.test(bytes.toString('latin1', at + flagName.length, at + endLength));
}

const flagName = Buffer.from('"isError"');
const longestRead = 64 * 1024;
const endLength = 256;

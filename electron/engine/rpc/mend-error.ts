import { isDeeperThan, isRecord, printJson } from '../../../shared/json.ts';
import { type JsonRpcErrorObject, rpcErrorCodes } from './message.ts';

/**
 * Converts an `error` of any shape to a JSON-RPC error without losing information: whatever does not fit in `code`,
 * `message` and `data` is put into `data` unchanged.
 *
 * | error                                       | code            | message                        | data           |
 * | ------------------------------------------- | --------------- | ------------------------------ | -------------- |
 * | valid code and message                      | unchanged       | unchanged                      | unchanged      |
 * | code is a number in a string, `"-32000"`    | that number     | unchanged                      | unchanged      |
 * | code is missing or null                     | internal error  | unchanged                      | unchanged      |
 * | code is other text, `"ENOENT"`, or a float  | internal error  | unchanged                      | all of `error` |
 * | message is missing, null or not a string    | as above        | the first text inside it       | all of `error` |
 * | members besides code, message and data      | as above        | as above                       | all of `error` |
 * | a string                                    | internal error  | the string                     | none           |
 * | a whole number                              | that number     | says that there is no message  | none           |
 * | an array, true, an empty object             | internal error  | its first text, if any         | all of `error` |
 * | nested too deeply to print                  | as above        | as above                       | none           |
 */
export function repairError(error: unknown): JsonRpcErrorObject {
  const { code, message, data } = isRecord(error) ? error : { code: error };
  const found = codeOf(code);
  const repaired = {
    code: found ?? rpcErrorCodes.internalError,
    message: findMessage(message, 0) ?? findMessage(error, 0) ?? fallbackMessage(error),
  };
  if (typeof error === 'string' || found === error || isDeeperThan(error, maxPrintDepth)) return repaired;
  const isCodePreserved = found !== undefined || code === undefined || code === null;
  const isLossless =
    isCodePreserved && message === repaired.message && isRecord(error) && hasOnlyKnownMembers(error);
  if (!isLossless) return { ...repaired, data: error };
  return data === undefined ? repaired : { ...repaired, data };
}

function codeOf(code: unknown): number | undefined {
  const number = typeof code === 'string' && numericCode.test(code) ? Number(code) : code;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

const numericCode = /^\s{0,8}[+-]?\d{1,15}(?:\.0{1,15})?\s{0,8}$/;

/** Members in which servers put their message, in order of preference. */
const messageKeys = [
  'message',
  'msg',
  'error',
  'error_description',
  'description',
  'detail',
  'details',
  'reason',
  'title',
  'text',
  'data',
  'code',
] as const;

/** Finds the first text that is not blank. */
function findMessage(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (depth === maxMessageDepth) return undefined;
  if (Array.isArray(value)) return findMessage(value[0], depth + 1);
  if (!isRecord(value)) return undefined;
  for (const member of messageKeys) {
    const text = findMessage(value[member], depth + 1);
    if (text !== undefined) return text;
  }
  return undefined;
}

const maxMessageDepth = 4;
/** Maximum nesting depth; printing a value uses stack space for each level. */
const maxPrintDepth = 500;

function fallbackMessage(error: unknown): string {
  if (isDeeperThan(error, maxPrintDepth)) return 'The other side returned an error that is nested too deeply';
  const text = printJson(error) ?? '';
  if (emptyTexts.has(text)) return 'The other side returned an error without a message';
  return `The other side returned an error without a message: ${text.slice(0, 1000)}`;
}

const emptyTexts: ReadonlySet<string | undefined> = new Set([undefined, 'null', 'false', '""', '[]', '{}']);

function hasOnlyKnownMembers(error: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(error).every((member) => knownMembers.has(member));
}

const knownMembers: ReadonlySet<string> = new Set(['code', 'message', 'data']);

import { isDeeperThan, isRecord, printJson } from '../../../shared/json.ts';
import { type JsonRpcErrorObject, rpcErrorCodes } from './message.ts';

/**
 * The JSON-RPC error that an `error` of any shape means. Nothing that the server said is lost: what has no place in `code`,
 * `message` and `data` stands in `data` as it came.
 *
 * | error                                        | code            | message                   | data           |
 * | -------------------------------------------- | --------------- | ------------------------- | -------------- |
 * | code and message as they should be           | the same        | the same                  | the same       |
 * | code is text that is a number, `"-32000"`    | that number     | the same                  | the same       |
 * | code is missing or null                      | internal error  | the same                  | the same       |
 * | code is other text, `"ENOENT"`, or a float   | internal error  | the same                  | all of `error` |
 * | message is missing, null or no text          | as above        | the first words inside it | all of `error` |
 * | further members beside code, message, data   | as above        | as above                  | all of `error` |
 * | text                                         | internal error  | the text                  | none           |
 * | a whole number                               | that number     | that there is no message  | none           |
 * | an array, true, an empty object              | internal error  | its first words, if any   | all of `error` |
 * | nested too deeply to be printed              | as above        | as above                  | none           |
 */
export function mendError(error: unknown): JsonRpcErrorObject {
  const { code, message, data } = isRecord(error) ? error : { code: error };
  const found = codeOf(code);
  const mended = {
    code: found ?? rpcErrorCodes.internalError,
    message: wordsOf(message, 0) ?? wordsOf(error, 0) ?? noWords(error),
  };
  if (typeof error === 'string' || found === error || isDeeperThan(error, maxDepth)) return mended;
  const isCodeKept = found !== undefined || code === undefined || code === null;
  const isAllKept = isCodeKept && message === mended.message && isRecord(error) && hasNoMore(error);
  if (!isAllKept) return { ...mended, data: error };
  return data === undefined ? mended : { ...mended, data };
}

function codeOf(code: unknown): number | undefined {
  const number = typeof code === 'string' && writtenCode.test(code) ? Number(code) : code;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

const writtenCode = /^\s{0,8}[+-]?\d{1,15}(?:\.0{1,15})?\s{0,8}$/;

/** Members in which servers put their message, in order of preference. */
const members = [
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
function wordsOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (depth === deepest) return undefined;
  if (Array.isArray(value)) return wordsOf(value[0], depth + 1);
  if (!isRecord(value)) return undefined;
  for (const member of members) {
    const words = wordsOf(value[member], depth + 1);
    if (words !== undefined) return words;
  }
  return undefined;
}

const deepest = 4;
/** Maximum nesting depth; printing a value uses stack space for each level. */
const maxDepth = 500;

function noWords(error: unknown): string {
  if (isDeeperThan(error, maxDepth))
    return 'The other side refused it with an error that is nested too deeply';
  const text = printJson(error) ?? '';
  if (emptyTexts.has(text)) return 'The other side refused it without saying why';
  return `The other side refused it without a message: ${text.slice(0, 1000)}`;
}

const emptyTexts: ReadonlySet<string | undefined> = new Set([undefined, 'null', 'false', '""', '[]', '{}']);

function hasNoMore(error: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(error).every((member) => known.has(member));
}

const known: ReadonlySet<string> = new Set(['code', 'message', 'data']);

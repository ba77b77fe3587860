import { parseJson } from '../../../../shared/json.ts';
import { maskText } from '../../base/mask/mask-text.ts';
import { readByteMessage } from '../../jsonrpc/byte-message.ts';
import {
  BACKSLASH,
  BROKEN,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  matches,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipSpace,
  skipValue,
} from '../../jsonrpc/json/json-scan.ts';
import type { Span } from '../../jsonrpc/json/json-spans.ts';
import { readLenient } from '../../jsonrpc/lenient-message.ts';
import { type JsonRpcFailure, type JsonRpcId, rpcErrorCodes } from '../../jsonrpc/message.ts';
import { isId } from '../../jsonrpc/message-kind.ts';
import type { MessageSource, RawMessage } from '../../jsonrpc/raw-message.ts';
import type { WireMessage } from '../../jsonrpc/read-message.ts';
import { identifyMessage } from './identify-message.ts';

/** Messages of a server, and the text around them on the line. */
interface MessagesInText {
  readonly text: string;
  readonly messages: readonly RawMessage[];
}

/**
 * Finds the messages in a server's line that has other text in it, as loggers and prompts write. Skips requests,
 * and answers to the server's own requests: servers log the messages they receive in the same form. Unless the line
 * begins with a message, one must end it; one without a version counts only there.
 */
export class MessagesAfterText {
  /** Requests of the server that were answered most recently. */
  readonly #answered = new Set<JsonRpcId>();

  sent(message: WireMessage): void {
    if (('method' in message && message.method !== undefined) || !('id' in message)) return;
    if (isId(message.id)) this.#answered.add(message.id);
    if (this.#answered.size <= maxAnswered) return;
    for (const id of this.#answered) {
      this.#answered.delete(id);
      break;
    }
  }

  /** Returns undefined if there is no message; `from` is the end of those that the line begins with. */
  read(line: Buffer, source?: MessageSource, from = 0): MessagesInText | undefined {
    const messages: RawMessage[] = [];
    const text: string[] = [];
    let position = from;
    const objects = objectsIn(line, from);
    const isEnded = skipSpace(line, objects.at(-1)?.end ?? 0) === line.length;
    for (const { start, end } of isEnded || from > 0 ? objects : []) {
      const bytes = line.subarray(start, end);
      const isLast = isEnded && end === objects.at(-1)?.end;
      const message = isVersioned(bytes)
        ? (readByteMessage(bytes, source) ?? readLenient(bytes, 'server'))
        : isLast
          ? readByteMessage(bytes, source)
          : undefined;
      if (start === 0 || message === undefined || !this.#isTaken(message)) continue;
      messages.push(message);
      text.push(line.toString('utf8', position, start).trimEnd());
      position = end;
    }
    if (messages.length === 0) return undefined;
    return { text: [...text, line.toString('utf8', position).trimEnd()].join(''), messages };
  }

  #isTaken({ kind, id, method }: RawMessage): boolean {
    if (kind === 'notification') return method !== 'notifications/cancelled';
    return (kind === 'result' || kind === 'failure') && isId(id) && !this.#answered.has(id);
  }
}

const maxAnswered = 256;

/**
 * Returns the JSON objects of a line, outside any other object or quotes; none after a broken one, which may
 * contain the rest.
 */
function objectsIn(line: Buffer, from: number): readonly Span[] {
  const found: Span[] = [];
  let isQuoted = false;
  for (let position = from; position < line.length; position += 1) {
    if (line[position] === QUOTE) isQuoted = !isQuoted;
    if (isQuoted || !beginsObject(line, position)) continue;
    const end = skipValue(line, position);
    if (end === BROKEN) return found;
    if (!isMember(line, position)) found.push({ start: position, end });
    position = end - 1;
  }
  return found;
}

function beginsObject(line: Buffer, at: number): boolean {
  return line[at] === OPEN_BRACE && line[skipSpace(line, at + 1)] === QUOTE;
}

/** Returns true if the object is a member of one that began on an earlier line. */
function isMember(line: Buffer, at: number): boolean {
  return memberName.test(line.toString('latin1', Math.max(0, at - maxNameLength), at));
}

const memberName = /"[ \t]{0,8}:[ \t]{0,8}$/;
const maxNameLength = 64;

function isVersioned(bytes: Buffer): boolean {
  return matches(bytes, skipSpace(bytes, 1), '"jsonrpc"');
}

/**
 * Fails the request that an invalid JSON line answers; undefined for any other line, and for one without a
 * newline, where the end of the connection is a better reason.
 */
export function failureForLine(line: Buffer): JsonRpcFailure | undefined {
  const head = line.toString('utf8', 0, maxHeadLength);
  if (!objectStart.test(head) || line.at(-1) !== NEWLINE) return undefined;
  const { fault, isWhole } = findFault(line);
  const tail = isWhole ? line.toString('utf8', Math.max(0, line.length - maxHeadLength)) : '';
  const found = identifyMessage(head, tail);
  if (found?.kind !== 'answer') return undefined;
  const quote = maskText(line.toString('utf8', 0, maxMaskedLength))
    .slice(0, maxQuoteLength)
    .trimEnd();
  const message = `The answer is not JSON: ${fault}. It begins with: ${quote}`;
  return { jsonrpc: '2.0', id: found.id, error: { code: rpcErrorCodes.parseError, message } };
}

/** Answers a client's line that is not a message; undefined for an empty one. */
export function refusalForLine(line: Buffer): JsonRpcFailure | undefined {
  if (skipSpace(line, 0) === line.length) return undefined;
  const { fault, isWhole } = findFault(line);
  const isJson = parseJson(line.toString('utf8')) !== undefined;
  const tail = isWhole ? line.toString('utf8', Math.max(0, line.length - maxHeadLength)) : '';
  const found = identifyMessage(line.toString('utf8', 0, maxHeadLength), tail);
  const id = found?.kind === 'request' ? found.id : null;
  const error = isJson
    ? { code: rpcErrorCodes.invalidRequest, message: 'Invalid Request: the line is not a JSON-RPC message' }
    : { code: rpcErrorCodes.parseError, message: `Parse error: the line is not JSON: ${fault}` };
  return { jsonrpc: '2.0', id, error };
}

const objectStart = /^\s*\{\s*"(?:jsonrpc|id|result|error)"/;
const maxHeadLength = 512;
const maxMaskedLength = 4096;
const maxQuoteLength = 300;

interface Examination {
  readonly fault: string;
  /** True if the outermost object ends where the line does. */
  readonly isWhole: boolean;
}

/** Finds the mistake in a line of almost valid JSON. */
function findFault(line: Buffer): Examination {
  let fault: string | undefined;
  let depth = 0;
  let position = skipSpace(line, 0);
  do {
    const byte = line[position] ?? 0;
    if (byte === QUOTE) {
      const end = stringEnd(line, position);
      if (end === BROKEN) return { fault: openString, isWhole: false };
      if (line.subarray(position, end).some(isControl)) fault ??= controlCharacter;
      position = end;
      continue;
    }
    fault ??= wordFault(line, position);
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1;
    position += 1;
  } while (depth > 0 && position < line.length);
  const isWhole = depth === 0 && skipSpace(line, position) === line.length;
  return { fault: fault ?? 'its syntax is broken', isWhole };
}

/** Finds the end of a string that may contain control characters. */
function stringEnd(line: Buffer, at: number): number {
  for (let position = at + 1; position < line.length; position += 1) {
    if (line[position] === BACKSLASH) position += 1;
    else if (line[position] === QUOTE) return position + 1;
  }
  return BROKEN;
}

function isControl(byte: number): boolean {
  return byte < 0x20;
}

function wordFault(line: Buffer, at: number): string | undefined {
  const byte = line[at] ?? 0;
  if (!isLetter(byte)) return undefined;
  const word = wrongWords.find((wrong) => byte === wrong.charCodeAt(0) && matches(line, at, wrong));
  return word && `${word} is not a JSON value`;
}

function isLetter(byte: number): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a;
}

/** Values of other languages. */
const wrongWords = ['NaN', 'Infinity', 'undefined', 'None', 'True', 'False'];
const openString = 'a string does not end on its line (write a line break in it as \\n)';
const controlCharacter = 'a string contains an unescaped control character';
const NEWLINE = 0x0a;

import { resultFrom } from './byte-message.ts';
import type { JsonRpcId } from './message.ts';
import type { MessageSource, RawMessage } from './raw-message.ts';

/**
 * A long result, in pieces, out of a program that has found it to be one message already: which request it answers is
 * read at its ends, and nothing in between is looked at. Undefined where the ends do not tell; then all of it is to be read.
 */
export function readLongAnswer(pieces: readonly Buffer[], source?: MessageSource): RawMessage | undefined {
  const before = membersBefore.exec(headOf(pieces))?.[1];
  const behind = membersBehind.exec(tailOf(pieces))?.[1];
  if (before === undefined || behind === undefined) return undefined;
  const members = `${before}${behind}`;
  if (members.match(versionMember)?.length !== 1) return undefined;
  const ids = [...members.matchAll(idMember)];
  const text = ids[0]?.[1];
  if (ids.length !== 1 || text === undefined) return undefined;
  return resultFrom(pieces, JSON.parse(text) as JsonRpcId, source);
}

/** How much of either end is looked at. */
const END = 512;

/** Ids that are written plainly; others are seldom. What stands between quotes holds none, so that no text is taken for a member. */
const id = String.raw`\d{1,15}|"[ !#-[\]-~]*"`;
const member = String.raw`"(?:jsonrpc"\s*:\s*"2\.0"|id"\s*:\s*(?:${id}))\s*`;
const membersBefore = new RegExp(String.raw`^\s*\{\s*((?:${member},\s*)*)"result"\s*:`);
/** The last brace closes the message itself, so what stands right before it are its own members, not its result's. */
const membersBehind = new RegExp(String.raw`((?:,\s*${member})*)\}\s*$`);
const versionMember = /"jsonrpc"/g;
const idMember = new RegExp(String.raw`"id"\s*:\s*(${id})`, 'g');

function headOf(pieces: readonly Buffer[]): string {
  let text = '';
  for (const piece of pieces) {
    text += piece.toString('latin1', 0, END);
    if (text.length >= END) break;
  }
  return text;
}

function tailOf(pieces: readonly Buffer[]): string {
  let text = '';
  for (let index = pieces.length - 1; index >= 0 && text.length < END; index -= 1) {
    const piece = pieces[index];
    if (piece !== undefined) text = piece.toString('latin1', Math.max(0, piece.length - END)) + text;
  }
  return text;
}

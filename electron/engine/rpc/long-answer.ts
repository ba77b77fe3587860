import { createResult } from './byte-message.ts';
import type { JsonRpcId } from './message.ts';
import type { MessageSource, RawMessage } from './raw-message.ts';

/**
 * Reads a long result, in pieces, from a program that has already checked that it is one message. The request
 * id is read from the ends; nothing in between is examined. Returns undefined if the ends do not give the id;
 * then the whole message must be read.
 */
export function readLongResult(pieces: readonly Buffer[], source?: MessageSource): RawMessage | undefined {
  const before = membersBefore.exec(headOf(pieces))?.[1];
  const after = membersAfter.exec(tailOf(pieces))?.[1];
  if (before === undefined || after === undefined) return undefined;
  const members = `${before}${after}`;
  if (members.match(versionMember)?.length !== 1) return undefined;
  const ids = [...members.matchAll(idMember)];
  const text = ids[0]?.[1];
  if (ids.length !== 1 || text === undefined) return undefined;
  return createResult(pieces, JSON.parse(text) as JsonRpcId, source);
}

/** Bytes examined at each end. */
const END_BYTES = 512;

/**
 * Matches plainly written ids; others are rare. The text between quotes contains no quote, so no string is
 * mistaken for a member.
 */
const id = String.raw`\d{1,15}|"[ !#-[\]-~]*"`;
const member = String.raw`"(?:jsonrpc"\s*:\s*"2\.0"|id"\s*:\s*(?:${id}))\s*`;
const membersBefore = new RegExp(String.raw`^\s*\{\s*((?:${member},\s*)*)"result"\s*:`);
/**
 * The last brace closes the message, so the members right before it belong to the message and not to its
 * result.
 */
const membersAfter = new RegExp(String.raw`((?:,\s*${member})*)\}\s*$`);
const versionMember = /"jsonrpc"/g;
const idMember = new RegExp(String.raw`"id"\s*:\s*(${id})`, 'g');

function headOf(pieces: readonly Buffer[]): string {
  let text = '';
  for (const piece of pieces) {
    text += piece.toString('latin1', 0, END_BYTES);
    if (text.length >= END_BYTES) break;
  }
  return text;
}

function tailOf(pieces: readonly Buffer[]): string {
  let text = '';
  for (let index = pieces.length - 1; index >= 0 && text.length < END_BYTES; index -= 1) {
    const piece = pieces[index];
    if (piece !== undefined) text = piece.toString('latin1', Math.max(0, piece.length - END_BYTES)) + text;
  }
  return text;
}

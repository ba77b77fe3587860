import { isDeeperThan } from '../../../../shared/json.ts';
import { digestOf } from '../../base/digest.ts';
import { joined, type Pieces } from '../../rpc/pieces.ts';
import type { RawRequest } from '../../rpc/raw-message.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Equal for two calls exactly when their arguments mean the same: the order of members and the space between them do
 * not count. Numbers count as they are written, since those beyond 2^53 read alike.
 */
export function digestOfArguments(request: RawRequest): string {
  const message = JSON.parse(withNumbersAsText(request.line().toString('utf8')));
  const found = message[marked('params')]?.[marked('arguments')] ?? null;
  // Compares them as they are written: to put their members in order takes a part of the stack for each level.
  if (isDeeperThan(found, maxDepth)) return digestOf(textOf(request.argumentsPieces ?? request.pieces()));
  return digestOf(ordered(found));
}

function textOf(pieces: Pieces): string {
  return joined(pieces).toString('latin1');
}

/** Levels of nesting. */
const maxDepth = 500;

/** Every string is marked as one, names of members too, and every number becomes a string that is not. */
function withNumbersAsText(json: string): string {
  return json.replace(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? `"${marked(token.slice(1))}` : `"${token}"`,
  );
}

function marked(text: string): string {
  return `s${text}`;
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Members;
  const names = Object.keys(members).sort();
  // An object still, so that it is not taken for an array of pairs.
  return { members: names.map((name) => [name, ordered(members[name])]) };
}

import { isDeeperThan } from '../../../../shared/json.ts';
import { digestOf } from '../../base/digest.ts';
import { joinPieces, type Pieces } from '../../rpc/pieces.ts';
import type { RawRequest } from '../../rpc/raw-message.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns a digest that is equal exactly if the arguments mean the same: order of members and white space do
 * not matter. Numbers are compared as written, because different ones beyond 2^53 parse to the same value.
 */
export function digestOfArguments(request: RawRequest): string {
  const message = JSON.parse(withNumbersAsText(request.line().toString('utf8')));
  const found = message[markString('params')]?.[markString('arguments')] ?? null;
  // Compares deeply nested arguments as text, because sorting members uses stack space for each level.
  if (isDeeperThan(found, maxSortDepth)) return digestOf(textOf(request.argumentsPieces ?? request.pieces()));
  return digestOf(sortMembers(found));
}

function textOf(pieces: Pieces): string {
  return joinPieces(pieces).toString('latin1');
}

/** Maximum nesting depth. */
const maxSortDepth = 500;

/** Marks every string, including member names, and turns every number into an unmarked string. */
function withNumbersAsText(json: string): string {
  return json.replace(/"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|-?\d[\d.eE+-]*/g, (token) =>
    token.startsWith('"') ? `"${markString(token.slice(1))}` : `"${token}"`,
  );
}

function markString(text: string): string {
  return `s${text}`;
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Members;
  const names = Object.keys(members).sort();
  // Wrapped in an object so that it differs from an array of pairs.
  return { members: names.map((name) => [name, sortMembers(members[name])]) };
}

import { diffArrays } from 'diff';
import { parseJson } from '../../../../shared/json.ts';
import type { Hunk } from '../../../../shared/model/client/connect.ts';
import { masked } from '../../base/mask/mask-text.ts';
import { hasSecretShape } from '../../base/mask/secret-shape.ts';
import { spliceBetween } from './splice.ts';

/**
 * Masks a line of another program's config except for its structure and names. Values beside our entry may be
 * keys and passwords under any name, and none is needed to see where our entry goes.
 */
export function maskLine(line: string): string {
  const indent = /^\s*/.exec(line)?.[0] ?? '';
  const text = line.slice(indent.length).trimEnd();
  if (/^[[\]{},\s]*$/.test(text)) return line;
  return indent + (maskMember(text) ?? maskTable(text) ?? maskWhole(text) ?? masked);
}

/** Matches `"key": value,` of JSON, `key: value` of YAML and `key = value` of TOML. */
function maskMember(text: string): string | undefined {
  const match = /^((?:"[^"\\]*"|'[^']*'|[\w.-]+)\s*[:=])(\s*)(.*)$/s.exec(text);
  if (match === null) return undefined;
  const [, name = '', gap = '', value = ''] = match;
  if (hasSecretShape(unquotedName(name))) return masked;
  const open = /^(?:[[{]?|\{\s*\},?|\[\s*\],?)$/.test(value);
  const comma = value.endsWith(',') ? ',' : '';
  return name + gap + (open ? value : masked + comma);
}

/** Matches `[servers.name]` of TOML. */
function maskTable(text: string): string | undefined {
  const match = /^(\[{1,2}[\w."' -]+\]{1,2})(\s*#.*)?$/.exec(text);
  const header = match?.[1];
  if (header === undefined || header.split('.').some((part) => hasSecretShape(unquotedName(part))))
    return undefined;
  return header;
}

/** Masks a JSON file on one line: everything but names and brackets. */
function maskWhole(text: string): string | undefined {
  if (!/^[[{]/.test(text) || parseJson(text) === undefined) return undefined;
  return text.replace(tokens, (token, colon: string | undefined) => {
    if (colon === undefined) return masked;
    return hasSecretShape(unquotedName(token)) ? `"${masked}"${colon}` : token;
  });
}

/** Matches strings, with the colon that makes one a name, and all other values. */
const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[^\s{}[\],:"]+/g;

function unquotedName(name: string): string {
  return name.replace(/["'\s:=[\]]/g, '');
}

type Line = Hunk['lines'][number];

/** Lines of context around a change. */
const contextLines = 3;

/**
 * Compares two texts by lines. Other lines are masked; `ours` are the lines of our entry, which hold nothing
 * secret.
 */
export function hunksBetween(before: string, after: string, ours: string): readonly Hunk[] {
  if (before === after) return [];
  const known = new Set(linesOf(ours).map((line) => line.trim()));
  const changes = changesBetween(linesOf(before), linesOf(after));
  const added = changes.filter(({ kind }) => kind === 'add');
  const { added: part, removed } = spliceBetween(before, after);
  // If the whole file is on one line, only our part is shown, unless something else is removed with it.
  const inLine =
    removed.trim() === '' && !added.some(({ text }) => isOurs(text, known)) ? `… ${part} …` : undefined;
  const show = ({ kind, text }: Line): Line => {
    const line = withoutEnd(text);
    if (kind === 'add' && inLine !== undefined) return { kind, text: inLine };
    return { kind, text: kind === 'add' && isOurs(line, known) ? line : maskLine(line) };
  };
  return changedStretches(changes).map(({ from, to, line }) => ({
    line,
    lines: changes.slice(from, to).map(show),
  }));
}

/** Returns lines with their line ends, so that a different end is a difference. */
function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}

function withoutEnd(line: string): string {
  return line.replace(/(?:\r\n|\n|\r)$/, '');
}

/** Returns the lines of both texts in order; removed lines come before added ones. */
function changesBetween(old: string[], next: string[]): readonly Line[] {
  // Texts that differ too much are shown as one change.
  const parts = diffArrays(old, next, { maxEditLength: maxEdits }) ?? [
    { value: old, removed: true, added: false },
    { value: next, removed: false, added: true },
  ];
  return parts.flatMap(({ value, added, removed }) =>
    value.map((text): Line => ({ kind: added ? 'add' : removed ? 'remove' : 'context', text })),
  );
}

const maxEdits = 4000;

interface Stretch {
  readonly from: number;
  readonly to: number;
  /** One-based line in the old text. */
  readonly line: number;
}

/** Returns changed lines with their context; changes close together are one stretch. */
function changedStretches(lines: readonly Line[]): readonly Stretch[] {
  const found: { from: number; to: number; line: number }[] = [];
  let line = 1;
  const oldLines = lines.map(({ kind }) => (kind === 'add' ? line : line++));
  lines.forEach(({ kind }, index) => {
    if (kind === 'context') return;
    const from = Math.max(0, index - contextLines);
    const last = found.at(-1);
    const to = Math.min(lines.length, index + 1 + contextLines);
    if (last !== undefined && from <= last.to) last.to = to;
    else found.push({ from, to, line: oldLines[from] ?? 1 });
  });
  return found;
}

/** Returns whether a line belongs to our entry, with or without a trailing comma. */
function isOurs(text: string, ours: ReadonlySet<string>): boolean {
  const line = text.trim();
  return ours.has(line) || ours.has(line.replace(/,$/, ''));
}

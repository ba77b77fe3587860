import { applyEdits, createScanner, findNodeAtLocation, modify, type Node, parseTree } from 'jsonc-parser';

const layout = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } };

/**
 * Returns the text with the value at a path set, or removed if it is undefined; comments and layout stay.
 */
export function setJson(text: string, path: readonly (string | number)[], value: unknown): string {
  if (value === undefined) return removeProperty(text, path);
  return applyEdits(text, modify(text, [...path], value, layout));
}

/**
 * Removes one property. The library's own removal also deletes the comments between it and its neighbour.
 */
function removeProperty(text: string, path: readonly (string | number)[]): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const property = root && findNodeAtLocation(root, [...path])?.parent;
  const siblings = property?.parent?.children;
  if (property === undefined || siblings === undefined) return text;
  const previous = siblings[siblings.indexOf(property) - 1];
  const isLast = siblings.at(-1) === property;
  const end = property.offset + property.length;
  const own = commaAfter(text, end);
  const before = isLast && previous !== undefined ? commaAfter(text, endOf(previous)) : undefined;
  const cuts = [
    { from: property.offset, to: end },
    ...(own === undefined ? [] : [{ from: own, to: own + 1 }]),
    ...(before === undefined || own !== undefined ? [] : [{ from: before, to: before + 1 }]),
  ];
  return dropBlankLine(
    cut(text, cuts),
    property.offset - (before !== undefined && own === undefined ? 1 : 0),
  );
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

/** Returns the position of the following comma, with only whitespace and comments before it. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  return text.charAt(scanner.getTokenOffset()) === ',' ? scanner.getTokenOffset() : undefined;
}

function cut(text: string, cuts: readonly { readonly from: number; readonly to: number }[]): string {
  return [...cuts]
    .sort((left, right) => right.from - left.from)
    .reduce((current, { from, to }) => current.slice(0, from) + current.slice(to), text);
}

/** Removes the line at an offset if it is blank. */
function dropBlankLine(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const next = text.indexOf('\n', start);
  if (start === 0 || next === -1 || text.slice(start, next).trim() !== '') return text;
  return text.slice(0, start) + text.slice(next + 1);
}

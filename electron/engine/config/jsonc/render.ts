import type { Layout } from './layout.ts';

/** How a value is written: with this indentation, or on one line. */
export interface RenderStyle extends Layout {
  readonly indent: string;
  readonly inline: boolean;
}

/** Writes a JSON value in the style of the surrounding text. Short lists of plain values stay on one line. */
export function render(value: unknown, style: RenderStyle): string {
  if (Array.isArray(value)) return renderArray(value, style);
  if (typeof value === 'object' && value !== null) return renderObject(value, style);
  return JSON.stringify(value) ?? 'null';
}

export function renderMember(key: string, value: unknown, style: RenderStyle): string {
  return `${JSON.stringify(key)}: ${render(value, style)}`;
}

function renderObject(value: object, style: RenderStyle): string {
  const inner = deeper(style);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => renderMember(key, member, inner));
  return members.length === 0 ? '{}' : wrap('{', members, '}', style, ' ');
}

/** Longer lists are written one item per line. */
const maxInlineArray = 72;

function renderArray(values: readonly unknown[], style: RenderStyle): string {
  const inner = deeper(style);
  const items = values.map((item) => render(item, inner));
  const oneLine = `[${items.join(', ')}]`;
  const plain = values.every((item) => typeof item !== 'object' || item === null);
  if (items.length === 0 || (plain && oneLine.length <= maxInlineArray)) return oneLine;
  return wrap('[', items, ']', style, '');
}

function wrap(
  open: string,
  parts: readonly string[],
  close: string,
  style: RenderStyle,
  pad: string,
): string {
  if (style.inline) return open + pad + parts.join(', ') + pad + close;
  const separator = style.eol + style.indent + style.unit;
  return open + separator + parts.join(`,${separator}`) + style.eol + style.indent + close;
}

function deeper(style: RenderStyle): RenderStyle {
  return { ...style, indent: style.indent + style.unit };
}

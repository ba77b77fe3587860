import { applyEdits, type Edit } from 'jsonc-parser';
import { indentAt, isFirstOnLine, type Layout, layoutOf, previousLineEnd } from './layout.ts';
import type { JsonNode } from './parse.ts';
import type { RenderStyle } from './render.ts';
import { type Tail, tailOf } from './trivia.ts';

/*
 * jsonc-parser's own `modify` reformats whole lines, removes comments of neighbours together with a member,
 * and attaches a trailing comment to the member inserted after it. These edits change nothing but the given
 * member.
 */

/** A member to insert; `comments` follow it on its line, `leading` is skipped if it is already there. */
export interface NewMember {
  readonly write: (style: RenderStyle) => string;
  readonly comments?: string;
  readonly leading?: string;
}

export function replaceRange(body: string, node: JsonNode, text: string): string {
  return applyEdits(body, [{ offset: node.offset, length: node.length, content: text }]);
}

/** Inserts a member after `anchor`, a child of `container`; without an anchor, at the start. */
export function insertMember(
  body: string,
  container: JsonNode,
  anchor: JsonNode | undefined,
  member: NewMember,
): string {
  const first = container.children?.[0];
  if (first === undefined) return insertOnly(body, container, member);
  return applyEdits(
    body,
    anchor ? editsAfter(body, anchor, member) : [editBefore(body, container, first, member)],
  );
}

/** Removes a child of `container` with its comma and the comments on its line; all other comments stay. */
export function removeMember(body: string, container: JsonNode, child: JsonNode): string {
  const children = container.children ?? [];
  const previous = children[children.indexOf(child) - 1];
  const tail = tailOf(body, child);
  if (children.length === 1 && isOnlyWhitespace(body, container, child.offset, tail.end)) {
    const inside = { offset: container.offset + 1, length: container.length - 2, content: '' };
    return applyEdits(body, [inside]);
  }
  const last = children.at(-1) === child;
  const from = previous === undefined ? container.offset + 1 : previous.offset + previous.length;
  const start = removalStart(body, child, tail, { last, from });
  const removal = { offset: start, length: removalEnd(body, tail, last) - start, content: '' };
  const comma = last && tail.comma === undefined && previous ? tailOf(body, previous).comma : undefined;
  return applyEdits(
    body,
    comma === undefined ? [removal] : [{ offset: comma, length: 1, content: '' }, removal],
  );
}

/**
 * Returns the comments and blank lines between a child and the member before; they stay when the child is
 * removed.
 */
export function leadingOf(body: string, container: JsonNode, child: JsonNode): string {
  const children = container.children ?? [];
  const previous = children[children.indexOf(child) - 1];
  const from = previous === undefined ? container.offset + 1 : tailOf(body, previous).end;
  if (isFirstOnLine(body, child.offset))
    return body.slice(from, Math.max(from, previousLineEnd(body, child.offset)));
  return body.slice(from, child.offset).trimEnd();
}

interface ChildPosition {
  readonly last: boolean;
  /** End of the previous member, or just inside the container. */
  readonly from: number;
}

function styleAt(body: string, indent: string, inline: boolean): RenderStyle {
  return { ...layoutOf(body), indent, inline };
}

function editsAfter(body: string, anchor: JsonNode, member: NewMember): Edit[] {
  const tail = tailOf(body, anchor);
  const end = anchor.offset + anchor.length;
  const ownLine = isFirstOnLine(body, anchor.offset);
  const comments = tail.comments + body.slice(tail.end, tail.end + leadingLength(body, tail.end, member));
  const inline = !ownLine && !comments.includes('//');
  const style = styleAt(body, indentAt(body, anchor.offset), inline);
  const lead = inline ? ' ' : style.eol + style.indent;
  const comma = tail.comma === undefined ? '' : ',';
  const content = lead + member.write(style) + comma + commentsOf(member, style, tail.endsLine);
  const insertion = { offset: tail.end + leadingLength(body, tail.end, member), length: 0, content };
  if (tail.comma !== undefined) return [insertion];
  if (insertion.offset === end) return [{ ...insertion, content: `,${content}` }];
  return [{ offset: end, length: 0, content: ',' }, insertion];
}

function editBefore(body: string, container: JsonNode, first: JsonNode, member: NewMember): Edit {
  const inline = !isFirstOnLine(body, first.offset);
  const style = styleAt(body, indentAt(body, first.offset), inline);
  const text = `${member.write(style)},${commentsOf(member, style, !inline)}`;
  const start = container.offset + 1;
  const skipped = leadingLength(body, start, member);
  if (!inline && (skipped > 0 || member.leading === '')) {
    return { offset: start + skipped, length: 0, content: style.eol + style.indent + text };
  }
  return { offset: first.offset, length: 0, content: text + (inline ? ' ' : style.eol + style.indent) };
}

/** Returns the length of the member's `leading` text if it is at `at` as a whole. */
function leadingLength(body: string, at: number, { leading = '' }: NewMember): number {
  const end = at + leading.length;
  const whole = !/[\r\n]|\/\//.test(leading) || /^(?:[\r\n]|$)/.test(body.slice(end, end + 1));
  return whole && body.startsWith(leading, at) ? leading.length : 0;
}

/** A line comment must not swallow what follows it. */
function commentsOf(member: NewMember, style: Layout, lineEnds: boolean): string {
  const { comments = '' } = member;
  return comments.includes('//') && !lineEnds ? comments + style.eol : comments;
}

function insertOnly(body: string, container: JsonNode, member: NewMember): string {
  const close = container.offset + container.length - 1;
  const inside = body.slice(container.offset + 1, close);
  const base = indentAt(body, container.offset);
  const layout = layoutOf(body);
  const inline = inside.trim() === '' && isInline(body, container);
  const style = styleAt(body, base + layout.unit, inline);
  const kept = inside.trimEnd();
  const text = member.write(style) + commentsOf(member, style, !inline);
  const content = inline ? ` ${text} ` : `${kept}${style.eol}${style.indent}${text}${style.eol}${base}`;
  return applyEdits(body, [{ offset: container.offset + 1, length: inside.length, content }]);
}

/** An empty container stays on its line if its neighbours share that line. */
function isInline(body: string, container: JsonNode): boolean {
  const property = container.parent;
  const owner = property?.type === 'property' ? property.parent : property;
  if (property === undefined || owner?.parent === undefined) return false;
  const siblings = owner.children?.length ?? 0;
  return siblings > 1 && !isFirstOnLine(body, property.offset);
}

function removalStart(body: string, child: JsonNode, tail: Tail, place: ChildPosition): number {
  const { last, from } = place;
  if (!isFirstOnLine(body, child.offset)) {
    return last ? body.slice(0, child.offset).trimEnd().length : child.offset;
  }
  const lineEnd = previousLineEnd(body, child.offset);
  // Text after the child on its line must not end up inside a comment of the line before.
  const before =
    body
      .slice(from, lineEnd)
      .split(/[\r\n]/)
      .at(-1) ?? '';
  return tail.endsLine || (last && !before.includes('//')) ? lineEnd : child.offset;
}

function removalEnd(
  body: string,
  tail: { readonly end: number; readonly endsLine: boolean },
  last: boolean,
): number {
  if (last || tail.endsLine) return tail.end;
  return tail.end + (/^[ \t]*/.exec(body.slice(tail.end))?.[0].length ?? 0);
}

function isOnlyWhitespace(body: string, container: JsonNode, from: number, to: number): boolean {
  const before = body.slice(container.offset + 1, from);
  const after = body.slice(to, container.offset + container.length - 1);
  return before.trim() === '' && after.trim() === '';
}

import { applyEdits, type Edit } from 'jsonc-parser';
import { indentAt, type Layout, layoutOf, previousLineEnd, startsLine } from './layout.ts';
import type { JsonNode } from './parse.ts';
import type { RenderStyle } from './render.ts';
import { tailOf } from './trivia.ts';

/*
 * jsonc-parser's own `modify` formats whole lines anew, takes comments of neighbours away with a removed member and
 * hands a trailing comment to the member inserted after it. These edits touch nothing but the member meant.
 */

/** A member to be written; `comments` follow it in its line. */
export interface NewMember {
  readonly write: (style: RenderStyle) => string;
  readonly comments?: string;
}

export function replaceRange(body: string, node: JsonNode, text: string): string {
  return applyEdits(body, [{ offset: node.offset, length: node.length, content: text }]);
}

/** Inserts a member after `anchor`, a child of `container`; at its start without an anchor. */
export function insertMember(
  body: string,
  container: JsonNode,
  anchor: JsonNode | undefined,
  member: NewMember,
): string {
  const first = container.children?.[0];
  if (first === undefined) return insertOnly(body, container, member);
  return applyEdits(body, anchor ? editsAfter(body, anchor, member) : [editBefore(body, first, member)]);
}

/** Removes a child of `container` with its comma and the comments of its own line; all other comments stay. */
export function removeMember(body: string, container: JsonNode, child: JsonNode): string {
  const children = container.children ?? [];
  const previous = children[children.indexOf(child) - 1];
  const tail = tailOf(body, child);
  if (children.length === 1 && onlyBlanks(body, container, child.offset, tail.end)) {
    const inside = { offset: container.offset + 1, length: container.length - 2, content: '' };
    return applyEdits(body, [inside]);
  }
  const last = children.at(-1) === child;
  const range = { offset: removalStart(body, child, tail, last), end: removalEnd(body, tail, last) };
  const removal = { offset: range.offset, length: range.end - range.offset, content: '' };
  const comma = last && tail.comma === undefined && previous ? tailOf(body, previous).comma : undefined;
  return applyEdits(
    body,
    comma === undefined ? [removal] : [{ offset: comma, length: 1, content: '' }, removal],
  );
}

function styleAt(body: string, indent: string, inline: boolean): RenderStyle {
  return { ...layoutOf(body), indent, inline };
}

function editsAfter(body: string, anchor: JsonNode, member: NewMember): Edit[] {
  const tail = tailOf(body, anchor);
  const end = anchor.offset + anchor.length;
  const ownLine = startsLine(body, anchor.offset);
  const inline = !ownLine && !tail.comments.includes('//');
  const style = styleAt(body, indentAt(body, anchor.offset), inline);
  const lead = inline ? ' ' : style.eol + style.indent;
  const comma = tail.comma === undefined ? '' : ',';
  const content = lead + member.write(style) + comma + commentsOf(member, style, tail.endsLine);
  const insertion = { offset: tail.end, length: 0, content };
  if (tail.comma !== undefined) return [insertion];
  if (tail.end === end) return [{ ...insertion, content: `,${content}` }];
  return [{ offset: end, length: 0, content: ',' }, insertion];
}

function editBefore(body: string, first: JsonNode, member: NewMember): Edit {
  const inline = !startsLine(body, first.offset);
  const style = styleAt(body, indentAt(body, first.offset), inline);
  const comments = commentsOf(member, style, !inline);
  const gap = inline ? ' ' : style.eol + style.indent;
  return { offset: first.offset, length: 0, content: `${member.write(style)},${comments}${gap}` };
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

/** An empty container stays in its line when its neighbours share that line. */
function isInline(body: string, container: JsonNode): boolean {
  const property = container.parent;
  const owner = property?.type === 'property' ? property.parent : property;
  if (property === undefined || owner?.parent === undefined) return false;
  const siblings = owner.children?.length ?? 0;
  return siblings > 1 && !startsLine(body, property.offset);
}

function removalStart(
  body: string,
  child: JsonNode,
  tail: { readonly endsLine: boolean },
  last: boolean,
): number {
  if (startsLine(body, child.offset) && tail.endsLine) return previousLineEnd(body, child.offset);
  if (!last || startsLine(body, child.offset)) return child.offset;
  return body.slice(0, child.offset).trimEnd().length;
}

function removalEnd(
  body: string,
  tail: { readonly end: number; readonly endsLine: boolean },
  last: boolean,
): number {
  if (last || tail.endsLine) return tail.end;
  return tail.end + (/^[ \t]*/.exec(body.slice(tail.end))?.[0].length ?? 0);
}

function onlyBlanks(body: string, container: JsonNode, from: number, to: number): boolean {
  const before = body.slice(container.offset + 1, from);
  const after = body.slice(to, container.offset + container.length - 1);
  return before.trim() === '' && after.trim() === '';
}

import type { Span } from './envelope.ts';

/** Text that takes the place of what lies at `span`. */
export interface Replacement {
  readonly span: Span;
  readonly text: string;
}

/** A copy of the bytes with other texts in some places; the spans do not overlap. */
export function splice(bytes: Buffer, replacements: readonly Replacement[]): Buffer {
  const inOrder = replacements.toSorted((one, other) => one.span.start - other.span.start);
  let length = bytes.length;
  for (const { span, text } of inOrder) length += sizeOf(text) - (span.end - span.start);
  const spliced = Buffer.allocUnsafe(length);
  let read = 0;
  let written = 0;
  for (const { span, text } of inOrder) {
    written += bytes.copy(spliced, written, read, span.start);
    written += write(spliced, written, text);
    read = span.end;
  }
  bytes.copy(spliced, written, read);
  return spliced;
}

/** Ids, names and tokens are short and ASCII, for which a loop is quicker than a call out of the engine. */
const SHORT = 64;

function sizeOf(text: string): number {
  return isShortAscii(text) ? text.length : Buffer.byteLength(text);
}

function write(target: Buffer, at: number, text: string): number {
  if (!isShortAscii(text)) return target.write(text, at);
  for (let index = 0; index < text.length; index += 1) target[at + index] = text.charCodeAt(index);
  return text.length;
}

function isShortAscii(text: string): boolean {
  if (text.length > SHORT) return false;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 0x7f) return false;
  return true;
}

/**
 * Replaces line breaks in place: they mean nothing between JSON tokens, but the message may be forwarded as
 * one line.
 */
export function toOneLine(bytes: Buffer): Buffer {
  for (const lineBreak of [0x0a, 0x0d]) {
    for (let at = bytes.indexOf(lineBreak); at !== -1; at = bytes.indexOf(lineBreak, at)) bytes[at] = 0x20;
  }
  return bytes;
}

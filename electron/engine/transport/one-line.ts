/** In place: between the parts of a message a line break means nothing, but the message may travel on as one line. */
export function onOneLine(bytes: Buffer): Buffer {
  for (const lineBreak of [0x0a, 0x0d]) {
    for (let at = bytes.indexOf(lineBreak); at !== -1; at = bytes.indexOf(lineBreak, at)) bytes[at] = 0x20;
  }
  return bytes;
}

/** Decodes a file as UTF-16 if its byte order mark or its zero bytes say so, else as UTF-8. */
export function decodeFile(bytes: Buffer): string {
  return decodeUtf16(bytes) ?? bytes.toString('utf8');
}

/** Decodes UTF-16; returns undefined for any other encoding. */
export function decodeUtf16(bytes: Buffer): string | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return bytes.subarray(2).toString('utf16le');
  if (first === 0xfe && second === 0xff) return swapped(bytes.subarray(2)).toString('utf16le');
  if (first === 0 && second !== 0 && bytes[2] === 0) return swapped(bytes).toString('utf16le');
  if (first !== 0 && second === 0 && bytes[3] === 0) return bytes.toString('utf16le');
  return undefined;
}

function swapped(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}

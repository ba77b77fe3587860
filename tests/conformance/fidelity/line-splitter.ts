/** Splits chunks at 0x0A and nowhere else; each byte is looked at once. */
export function createLineSplitter(line: (text: string) => void): (chunk: Buffer) => void {
  let begun: Buffer[] = [];
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
      const whole = Buffer.concat([...begun, chunk.subarray(start, end)]);
      begun = [];
      start = end + 1;
      line(whole.toString('utf8'));
    }
    if (start < chunk.length) begun.push(chunk.subarray(start));
  };
}

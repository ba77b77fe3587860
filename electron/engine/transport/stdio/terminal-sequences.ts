import { stripVTControlCharacters } from 'node:util';

const ESCAPE = 0x1b;

/** Removes colours and other terminal sequences. JSON never contains the byte that begins them. */
export function withoutTerminalSequences(line: Buffer): Buffer {
  return line.includes(ESCAPE) ? Buffer.from(stripVTControlCharacters(line.toString('utf8'))) : line;
}

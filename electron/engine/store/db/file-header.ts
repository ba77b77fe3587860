import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { errorCode } from '../files/atomic-file.ts';
import { NotAFileError } from '../files/regular-file.ts';

/** Result of reading the first bytes and the length of a database file before it is opened. */
export type FileHeader =
  /** Missing or empty. */
  | { readonly kind: 'empty' }
  /** `version` as last moved from the log to the file itself. */
  | { readonly kind: 'sound'; readonly version: number }
  /** `fullSize` is set if only the end is missing. */
  | { readonly kind: 'damaged'; readonly why: string; readonly fullSize?: number };

/** Rejects with any error except a missing file. */
export async function readFileHeader(file: string): Promise<FileHeader> {
  try {
    // Opening a pipe that nobody writes to would block forever.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const info = await handle.stat();
      if (info.isFIFO()) throw new NotAFileError(file, 'pipe');
      const { size } = info;
      const { buffer } = await handle.read(Buffer.alloc(headerBytes), 0, headerBytes, 0);
      return judgeHeader(buffer, size);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return { kind: 'empty' };
    throw error;
  }
}

const headerBytes = 100;
const magic = Buffer.from('SQLite format 3\0');

/** Offsets are those of SQLite's file format description. */
function judgeHeader(header: Buffer, size: number): FileHeader {
  if (size === 0) return { kind: 'empty' };
  if (!header.subarray(0, magic.length).equals(magic))
    return { kind: 'damaged', why: 'it is not a database' };
  if (size < headerBytes) return { kind: 'damaged', why: `it ends after ${size} bytes` };
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  // The page count is valid only if both change counters are equal.
  const isCounted = header.readUInt32BE(24) === header.readUInt32BE(92);
  const fullSize = header.readUInt32BE(28) * pageSize;
  if (isCounted && size < fullSize)
    return { kind: 'damaged', why: `only ${size} of its ${fullSize} bytes are left`, fullSize };
  return { kind: 'sound', version: header.readUInt32BE(60) };
}

import { createWriteStream } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise } from 'yauzl';
import { ProblemError, problem } from '../../../shared/error/problem.ts';

/** Bytes and number of entries; larger archives are rejected. */
const limits = { bytes: 1024 ** 3, files: 50_000, manifest: 4 * 1024 * 1024 };

/** Returns the text of one member; undefined if there is none. Rejects with `import.bad_bundle`. */
export async function readMember(file: string, name: string): Promise<string | undefined> {
  return withMembers(file, async (members) => {
    for await (const { entry, open } of members) {
      if (entry.fileName !== name) continue;
      if (entry.uncompressedSize > limits.manifest) throw badBundle(file, `${name} is too large`);
      return (await buffer(await open())).toString('utf8');
    }
    return undefined;
  });
}

/**
 * Extracts all files into an empty folder. Rejects with `import.bad_bundle`, and leaves the files written so
 * far.
 */
export async function extractAll(file: string, folder: string): Promise<void> {
  await withMembers(file, async (members) => {
    let bytes = 0;
    let files = 0;
    for await (const { entry, open } of members) {
      const path = join(folder, entry.fileName);
      bytes += entry.uncompressedSize;
      files += 1;
      if (bytes > limits.bytes || files > limits.files) throw badBundle(file, 'it is too large');
      if (entry.fileName.endsWith('/')) {
        await mkdir(path, { recursive: true });
        continue;
      }
      // A link could point anywhere on the machine.
      if (kindOf(entry) === link) throw badBundle(file, `it contains a link, ${entry.fileName}`);
      await mkdir(dirname(path), { recursive: true });
      await pipeline(await open(), createWriteStream(path, { flags: 'wx' }));
      await chmod(path, (modeOf(entry) & 0o111) === 0 ? 0o644 : 0o755);
    }
  });
}

interface Member {
  readonly entry: Entry;
  open(): Promise<Readable>;
}

async function withMembers<T>(file: string, use: (members: AsyncIterable<Member>) => Promise<T>): Promise<T> {
  try {
    // The library rejects names that lead out of the folder, and wrong sizes.
    const zip = await openPromise(file, { lazyEntries: true, autoClose: false, validateEntrySizes: true });
    try {
      return await use(membersOf(zip));
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw badBundle(file, error instanceof Error ? error.message : String(error));
  }
}

type Zip = Awaited<ReturnType<typeof openPromise>>;

async function* membersOf(zip: Zip): AsyncIterable<Member> {
  for await (const entry of zip.eachEntry()) yield { entry, open: () => zip.openReadStreamPromise(entry) };
}

const link = 0o120000;

function modeOf({ externalFileAttributes }: Entry): number {
  return externalFileAttributes >>> 16;
}

function kindOf(entry: Entry): number {
  return modeOf(entry) & 0o170000;
}

export function badBundle(file: string, reason: string): ProblemError {
  const sentence = `${file} cannot be imported as a bundle: ${reason}.`;
  return new ProblemError(
    problem('import.bad_bundle', sentence, 'Download it again, or ask its author.', { file }),
  );
}

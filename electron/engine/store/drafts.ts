import { randomUUID } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasProcess } from './process-identity.ts';

/** Returns the name of a temporary file beside `file` for its new text; it contains the process id. */
export function tempFileFor(file: string): string {
  return `${file}.patchbay-${process.pid}-${randomUUID().slice(0, 8)}.tmp`;
}

/**
 * Removes temporary files that killed processes left in a folder: those of `files`, or all of them. A file
 * whose process is running stays, unless it is far older than any write takes. Never rejects.
 */
export async function removeTempFiles(folder: string, files?: readonly string[]): Promise<void> {
  const wanted = files && new Set(files.map((file) => basename(file)));
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [, file = '', pid] = tempFileName.exec(name) ?? earlierTempFileName.exec(name) ?? [];
    if (file === '' || wanted?.has(file) === false) continue;
    await removeIfStale(join(folder, name), pid === undefined ? undefined : Number(pid)).catch(
      () => undefined,
    );
  }
}

const tempFileName = /^(.+)\.patchbay-(\d{1,10})-[0-9a-f]{8}\.tmp(?:-wal|-shm)?$/;
/** Names without a process id, from earlier versions. */
const earlierTempFileName = /^([\w-]+(?:\.\w+)*)\.[0-9a-f]{8}\.tmp$/;

async function removeIfStale(draft: string, pid: number | undefined): Promise<void> {
  const info = await lstat(draft);
  if (!info.isFile() || info.uid !== (process.getuid?.() ?? info.uid)) return;
  const age = Date.now() - info.mtimeMs;
  if (age > maxWriteMs || (pid !== undefined && !mayBeWriting(pid, age))) await rm(draft, { force: true });
}

/** In a container, every hub has the same process id. */
function mayBeWriting(pid: number, age: number): boolean {
  if (pid === process.pid) return age < process.uptime() * 1_000;
  return hasProcess(pid);
}

/** In milliseconds. */
const maxWriteMs = 10 * 60_000;

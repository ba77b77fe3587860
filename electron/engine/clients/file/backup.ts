import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { removeFile } from '../../store/files/replace-file.ts';

/** Backups stored per client; the oldest are deleted. */
const maxBackups = 20;

/** Stores a backup of a file's text, readable by this user only; resolves to its path. */
export async function writeBackup(
  folder: string,
  {
    id,
    file,
    text,
    at,
  }: { readonly id: string; readonly file: string; readonly text: string; readonly at: number },
): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date(at).toISOString().replace(/[:.]/g, '-');
  const copy = join(folder, `${id}-${stamp}-${randomUUID().slice(0, 8)}${extname(file)}`);
  const handle = await open(copy, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return copy;
}

/** Deletes old backups, except those in `needed`. */
export async function pruneBackups(folder: string, id: string, needed: ReadonlySet<string>): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(`${id}-2`)).sort();
  for (const name of names.slice(0, -maxBackups)) {
    const copy = join(folder, name);
    if (!needed.has(copy)) await removeFile(copy);
  }
}

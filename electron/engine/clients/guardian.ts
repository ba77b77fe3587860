import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../base/clock.ts';
import { createCoalescer } from '../base/coalescer.ts';
import type { Disposable } from '../base/emitter.ts';
import { watchFile } from '../config/watch.ts';
import { entryIn } from './edit/entry-edit.ts';
import { withoutMark } from './edit/plan-edit.ts';
import { readClientFile } from './file/client-file.ts';
import type { ConfigFormat } from './format/contract.ts';
import type { Connection } from './journal/connections.ts';

/** How our entry stands in a file that we wrote it to. Reads the file: whoever connected a client has said yes to that. */
export async function lookAt(connection: Connection, format: ConfigFormat): Promise<Connection['status']> {
  const { file, writes } = connection;
  const { root, key, entry } = writes[writes.length - 1] ?? writes[0];
  try {
    const text = await readClientFile(file);
    const found = text === undefined ? undefined : entryIn(format, withoutMark(text), { root, key });
    if (found === undefined) return 'wiped';
    return isDeepStrictEqual(asJson(found), asJson(entry)) ? 'connected' : 'changed';
  } catch {
    // Not readable any more, or not as its format.
    return 'changed';
  }
}

/** Calls `check` when one of the files may have changed, once for a burst; which files, is said anew by `follow`. */
export interface FileWatch extends Disposable {
  follow(files: readonly string[]): Promise<void>;
}

/** Clients write their files in several steps, between which our entry may be missing. */
const settling = 400;

export function createFileWatch(clock: Clock, check: () => void): FileWatch {
  const watched = new Map<string, Disposable>();
  const burst = createCoalescer(clock, settling, check);
  return {
    async follow(files) {
      for (const [file, watcher] of watched) {
        if (files.includes(file)) continue;
        watcher.dispose();
        watched.delete(file);
      }
      for (const file of files) {
        if (!watched.has(file)) watched.set(file, await watchFile(file, burst.mark));
      }
    },
    dispose() {
      burst.dispose();
      for (const watcher of watched.values()) watcher.dispose();
      watched.clear();
    },
  };
}

/** Numbers of some formats are not those of others. */
function asJson(value: unknown): unknown {
  const text = JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? Number(member) : member));
  return JSON.parse(text);
}

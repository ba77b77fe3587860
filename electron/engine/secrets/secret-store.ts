import type { Clock } from '../base/clock.ts';
import { createCoalescer } from '../base/coalescer.ts';
import { type Disposable, Emitter, type Event } from '../base/emitter.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import type { SecretSource } from '../config/contract.ts';
import { watchFile } from '../config/store/watch-file.ts';
import { type SecretVault, type StoredSecret, userSecretPrefix } from '../store/files/secret-vault.ts';

/** A user's secret, decrypted in memory only. */
interface OpenedSecret extends StoredSecret {
  /** Absent if it cannot be decrypted. */
  readonly value?: string;
}

/** The public part of a secret. */
export interface KnownSecret {
  readonly name: string;
  readonly box: string;
  readonly storedAt?: number;
  readonly readable: boolean;
}

/**
 * The users' secrets of a vault, decrypted in memory while the hub runs. They are read at start and whenever
 * the file changes, no matter who changed it.
 */
export interface SecretStore extends SecretSource, Disposable {
  readonly known: readonly KnownSecret[];
  /** Fires when a value, a name, or whether one can be decrypted has changed. */
  readonly onChange: Event<void>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
  /** Reads the file now. */
  reload(): Promise<void>;
}

export interface SecretStoreOptions {
  readonly vault: SecretVault;
  readonly file: string;
  readonly clock: Clock;
  /** Called after each read; others may have created or damaged the file. */
  readonly onRead: () => void;
}

export async function openSecretStore(options: SecretStoreOptions): Promise<SecretStore> {
  const { vault, file, clock, onRead } = options;
  const changes = new Emitter<void>();
  const queue = new SerialQueue();
  let current: ReadonlyMap<string, OpenedSecret> = new Map();
  const read = () =>
    queue.run(async () => {
      const next = await readAll(vault, current);
      onRead();
      if (next === undefined || isSameMap(current, next)) return;
      current = next;
      changes.fire();
    });
  const coalescer = createCoalescer(clock, settleMs, () => void read());
  const watcher = await watchFile(file, () => coalescer.mark());
  await read();
  return {
    get: (name) => current.get(name)?.value,
    isClosed: (name) => current.has(name) && current.get(name)?.value === undefined,
    get known() {
      return [...current.values()].map(({ name, box, storedAt, value }) => ({
        name,
        box,
        readable: value !== undefined,
        ...(storedAt === undefined ? {} : { storedAt }),
      }));
    },
    onChange: changes.event,
    async set(name, value) {
      await vault.set(userSecretPrefix + name, value);
      await read();
    },
    async delete(name) {
      await vault.delete(userSecretPrefix + name);
      await read();
    },
    reload: read,
    dispose() {
      coalescer.dispose();
      watcher.dispose();
      changes.dispose();
      current = new Map();
    },
  };
}

const settleMs = 50;

/** Undefined if the file cannot be read: the current secrets stay, as with a broken config. */
async function readAll(
  vault: SecretVault,
  current: ReadonlyMap<string, OpenedSecret>,
): Promise<ReadonlyMap<string, OpenedSecret> | undefined> {
  try {
    const listed = (await vault.list()).filter(({ name }) => name.startsWith(userSecretPrefix));
    const opened = await Promise.all(listed.map((stored) => openSecret(vault, stored, current)));
    return new Map(
      opened.map((secret) => [secret.name, secret] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
    );
  } catch {
    return undefined;
  }
}

/** Reuses unchanged secrets: sign-ins write the same file from time to time. */
async function openSecret(
  vault: SecretVault,
  stored: StoredSecret,
  current: ReadonlyMap<string, OpenedSecret>,
): Promise<OpenedSecret> {
  const name = stored.name.slice(userSecretPrefix.length);
  const before = current.get(name);
  if (before?.sealed === stored.sealed && before.value !== undefined) return before;
  const value = await vault.get(stored.name).catch(() => undefined);
  return { ...stored, name, ...(value === undefined ? {} : { value }) };
}

function isSameMap(a: ReadonlyMap<string, OpenedSecret>, b: ReadonlyMap<string, OpenedSecret>): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([name, { sealed, value }]) => {
    const other = b.get(name);
    return other?.sealed === sealed && other.value === value;
  });
}

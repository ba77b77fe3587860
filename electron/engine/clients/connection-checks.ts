import { dirname } from 'node:path';
import type { FileLock } from '../store/files/file-lock.ts';
import { removeTempFiles } from '../store/files/temp-files.ts';
import type { ClientRegistry } from './client-registry.ts';
import { createFileWatch, type FileWatch, hasChanged, recordStatus } from './connection-watch.ts';
import type { Journal } from './journal/journal.ts';
import type { Launcher } from './launcher/launcher.ts';
import type { ConnectorOptions } from './options.ts';

export interface ConnectionChecksOptions extends Pick<ConnectorOptions, 'clock' | 'log'> {
  readonly registry: ClientRegistry;
  readonly journal: Journal;
  readonly launcher: Launcher;
  /** Held while files of clients are written. */
  readonly lock: FileLock;
}

/** Checks the files that we wrote to, whenever they change and on request. */
export class ConnectionChecks {
  readonly #options: ConnectionChecksOptions;
  readonly #watch: FileWatch;

  constructor(options: ConnectionChecksOptions) {
    this.#options = options;
    this.#watch = createFileWatch(options.clock, () => void this.#checkFiles().catch(this.#warn));
  }

  async check(): Promise<void> {
    const { registry, launcher } = this.#options;
    await this.#removeOrphanedDrafts().catch(this.#warn);
    if ((await registry.connections()).length > 0) await launcher.ensure().catch(this.#warn);
    await this.#checkFiles();
  }

  /** Updates the watched files and the list after a change. */
  async announce(): Promise<void> {
    const { registry } = this.#options;
    await this.#watch.follow((await registry.connections()).map(({ file }) => file));
    await registry.announce();
  }

  dispose(): void {
    this.#watch.dispose();
  }

  readonly #warn = (error: unknown): void =>
    this.#options.log.log('warn', 'The client configs could not be checked.', { error });

  /** Changes are recorded under the lock, so that no write is in progress. */
  async #checkFiles(): Promise<void> {
    const { registry, journal, lock } = this.#options;
    const news = await Promise.all((await registry.connections()).map(hasChanged));
    if (news.includes(true)) {
      await lock.run(async () => {
        for (const connection of await registry.connections()) await recordStatus(connection, journal);
      });
    }
    await this.announce();
  }

  /** A hub that was killed may have left a draft beside a client's config. */
  async #removeOrphanedDrafts(): Promise<void> {
    const { journal, lock } = this.#options;
    const files = new Set((await journal.read()).map(({ file }) => file).filter((file) => file !== ''));
    if (files.size === 0) return;
    await lock.run(async () => {
      for (const file of files) await removeTempFiles(dirname(file), [file]);
    });
  }
}

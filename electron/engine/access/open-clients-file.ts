import type { NewClients } from '../../../shared/model/access/access.ts';
import type { Clock } from '../base/clock.ts';
import { type Coalescer, createCoalescer } from '../base/coalescer.ts';
import type { Disposable } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import { formatOpenClients, type OpenClients, openToAll } from '../catalogue/open-clients.ts';
import { readTextIfExists, writePrivateFile } from '../store/files/atomic-file.ts';
import type { AccessService } from './access-service.ts';

export interface OpenClientsFileOptions {
  readonly file: string;
  readonly service: AccessService;
  readonly newClients: () => NewClients;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Keeps a file that tells bridges which clients have full access; it lists nobody while everybody has. */
export class OpenClientsFile implements Disposable {
  readonly #options: OpenClientsFileOptions;
  readonly #queue = new SerialQueue();
  readonly #changed: Coalescer;
  #written: string | undefined;

  constructor(options: OpenClientsFileOptions) {
    this.#options = options;
    this.#changed = createCoalescer(options.clock, 50, () => void this.#write());
    options.service.onChange(() => this.#changed.mark());
    options.service.onLoaded(() => this.#changed.mark());
    this.#changed.mark();
  }

  /** Call when the default for new clients has changed. */
  defaultChanged(): void {
    this.#changed.mark();
  }

  /** Writes pending changes. */
  async close(): Promise<void> {
    this.#changed.flush();
    await this.#queue.run(async () => {});
    this.dispose();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #write(): Promise<void> {
    const { file, log } = this.#options;
    return this.#queue.run(async () => {
      // The last version on disk is the only source while the database cannot be read.
      if (!this.#options.service.isReady) return;
      const text = formatOpenClients(this.#current());
      this.#written ??= (await readTextIfExists(file).catch(() => undefined)) ?? formatOpenClients(openToAll);
      if (text === this.#written) return;
      try {
        await writePrivateFile(file, text);
        this.#written = text;
      } catch (error) {
        log.log('warn', 'The list of clients with full access, which bridges read, could not be written', {
          error: String(error),
        });
      }
    });
  }

  #current(): OpenClients {
    const { service, newClients, clock } = this.#options;
    const others = newClients() === 'everything';
    const now = clock.now();
    const names = service.tables.identities().flatMap(({ id, kind, name }) => {
      const rules = kind === 'client' ? service.tables.rulesOf(id) : undefined;
      // A bridge cannot judge permissions that expire.
      const isOpen = rules?.passesAll(now) === true && rules.nextExpiry(now) === Number.POSITIVE_INFINITY;
      return rules !== undefined && isOpen !== others ? [name] : [];
    });
    return { others, names };
  }
}

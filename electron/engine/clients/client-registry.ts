import { dirname } from 'node:path';
import type { ConnectClient } from '../../../shared/model/client/connect.ts';
import type { HubEvent } from '../../../shared/operations/events.ts';
import { digestOf } from '../base/digest.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import { clientView } from './client-view.ts';
import { type FoundFile, findFiles, isOwnLocation, pathExists } from './config-locations.ts';
import { byHandOnly, missingFolder, notFound, stillRunning, unknownClient } from './connect-problem.ts';
import { type ClientRecord, type Connection, foldJournal, recordOf } from './journal/connections.ts';
import type { Journal } from './journal/journal.ts';
import type { ConnectorOptions } from './options.ts';
import { type RunningClient, runningClients } from './running/running-client.ts';
import type { ClientRow } from './table/client-row.ts';
import { clientTable } from './table/client-table.ts';

/**
 * Combines what is known about the clients of this machine: the table, the journal, and the files that exist.
 */
export class ClientRegistry {
  readonly #options: ConnectorOptions;
  readonly #journal: Journal;
  readonly #changes = new Emitter<HubEvent<'connect.changed'>>();
  #lastDigest = '';

  constructor(options: ConnectorOptions, journal: Journal) {
    this.#options = options;
    this.#journal = journal;
  }

  get onChange(): Event<HubEvent<'connect.changed'>> {
    return this.#changes.event;
  }

  async record(id: string): Promise<ClientRecord> {
    return recordOf(foldJournal(await this.#journal.read()), id);
  }

  async connections(): Promise<readonly Connection[]> {
    return [...foldJournal(await this.#journal.read()).values()].flatMap(({ connections }) => connections);
  }

  async list(): Promise<readonly ConnectClient[]> {
    const { bundle, rule } = this.#options;
    const known = foldJournal(await this.#journal.read());
    const hasBundle = bundle !== undefined && (await pathExists(bundle));
    const view = async (row: ClientRow) => {
      const record = recordOf(known, row.id);
      const found = await this.#filesOf(row, record);
      return clientView(row, { found, record, rule: rule(row.clientNames[0]), hasBundle });
    };
    return Promise.all(clientTable.map(view));
  }

  /** Fires `connect.changed` if the list has changed since the last event. */
  async announce(): Promise<void> {
    const clients = await this.list();
    const digest = digestOf(clients);
    if (digest === this.#lastDigest) return;
    this.#lastDigest = digest;
    this.#changes.fire({ clients });
  }

  /** Returns the files to write for a client. Rejects with ProblemError if there are none. */
  async requireFiles(row: ClientRow): Promise<readonly FoundFile[]> {
    if (row.places === undefined && !row.canLocate) throw byHandOnly(row);
    const record = await this.record(row.id);
    if (record.chosen !== undefined) await this.requireFolder(row, record.chosen);
    const found = await this.#filesOf(row, record);
    if (found.length === 0) throw notFound(row.title);
    return found;
  }

  /** Rejects if the folder of a chosen file does not exist, unless the client itself uses that file. */
  async requireFolder(row: ClientRow, file: string): Promise<void> {
    if (await pathExists(dirname(file))) return;
    if (!(await isOwnLocation(row, file, this.#options.machine))) throw missingFolder(file);
  }

  async running(row: ClientRow): Promise<readonly RunningClient[]> {
    const { machine, processes, log } = this.#options;
    if (row.processes === undefined) return [];
    const listed = await processes().catch((error: unknown) => {
      log.log('warn', 'The running programs could not be listed.', { error });
      return [];
    });
    return runningClients(row, machine.platform, listed);
  }

  /** Rejects with `client.running` while the client runs and would overwrite an edit. */
  async requireQuit(row: ClientRow): Promise<void> {
    if (row.overwrites !== true) return;
    const running = await this.running(row);
    if (running.length > 0) throw stillRunning(row.title, running);
  }

  dispose(): void {
    this.#changes.dispose();
  }

  async #filesOf(row: ClientRow, { chosen }: ClientRecord): Promise<readonly FoundFile[]> {
    if (chosen === undefined) return findFiles(row, this.#options.machine);
    return [{ file: chosen, exists: await pathExists(chosen) }];
  }
}

/** Rejects with `client.unknown`. */
export function requireRow(id: string): ClientRow {
  const row = clientTable.find((one) => one.id === id);
  if (row === undefined) throw unknownClient(id);
  return row;
}

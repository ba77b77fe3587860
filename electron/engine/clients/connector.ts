import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type {
  AppliedFile,
  ConnectClient,
  ConnectPreview,
  ConnectProof,
  JournalRecord,
  UndoneFile,
} from '../../../shared/model/client/connect.ts';
import type { HubEvent } from '../../../shared/operations/events.ts';
import type { OperationInput } from '../../../shared/operations/table.ts';
import type { Event } from '../base/emitter.ts';
import { createFileLock, type FileLock } from '../store/files/file-lock.ts';
import { ClientRegistry, requireRow } from './client-registry.ts';
import { pathExists } from './config-locations.ts';
import * as problems from './connect-problem.ts';
import { ConnectionChecks } from './connection-checks.ts';
import type { Connector } from './contract.ts';
import { undoConnection, undoWrite, type WriteContext } from './edit/write-edits.ts';
import { pruneBackups } from './file/backup.ts';
import { formatOf } from './format/format-of.ts';
import { createJournal, type Journal } from './journal/journal.ts';
import { journalRecords } from './journal/journal-records.ts';
import { createLauncher, type Launcher } from './launcher/launcher.ts';
import type { ConnectorOptions } from './options.ts';
import { Previews, type RemovalsByFile } from './previews.ts';
import { proveConnection } from './proof/prove-connection.ts';
import { quitClient } from './running/running-client.ts';
import { type Snippet, snippetOf } from './snippet.ts';

/** Connects clients of this machine to the hub of a data folder. */
export class ClientConnector implements Connector {
  readonly #options: ConnectorOptions;
  readonly #journal: Journal;
  readonly #context: WriteContext;
  readonly #lock: FileLock;
  readonly #launcher: Launcher;
  readonly #registry: ClientRegistry;
  readonly #previews: Previews;
  readonly #checks: ConnectionChecks;

  constructor(options: ConnectorOptions) {
    const { dataDir, machine, clock } = options;
    this.#options = options;
    this.#journal = createJournal(join(dataDir, 'clients.journal'), clock);
    this.#context = { journal: this.#journal, clock, backups: join(dataDir, 'backups') };
    this.#lock = createFileLock({ file: join(dataDir, 'run', 'clients.lock'), clock });
    this.#launcher = createLauncher({ ...options, platform: machine.platform });
    this.#registry = new ClientRegistry(options, this.#journal);
    this.#previews = new Previews(this.#registry, this.#launcher);
    this.#checks = new ConnectionChecks({
      ...options,
      registry: this.#registry,
      journal: this.#journal,
      launcher: this.#launcher,
      lock: this.#lock,
    });
  }

  get onChange(): Event<HubEvent<'connect.changed'>> {
    return this.#registry.onChange;
  }

  list(): Promise<readonly ConnectClient[]> {
    return this.#registry.list();
  }

  async setFile(id: string, file: string | undefined): Promise<void> {
    await this.#locked(async () => {
      const row = requireRow(id);
      if (!row.canLocate) throw problems.byHandOnly(row);
      if (file === undefined) return this.#journal.append({ id, file: '', action: 'unchosen' });
      await this.#registry.requireFolder(row, file);
      await this.#journal.append({ id, file, action: 'chosen' });
    });
  }

  preview(id: string, take?: RemovalsByFile): Promise<ConnectPreview> {
    return this.#previews.show(id, take);
  }

  async apply(id: string, previewId: string): Promise<readonly AppliedFile[]> {
    try {
      return await this.#lock.run(() => this.#previews.apply(id, previewId, this.#context));
    } finally {
      const { connections } = await this.#registry.record(id);
      const needed = connections.flatMap(({ writes }) => writes.flatMap(({ backup }) => backup ?? []));
      await pruneBackups(this.#context.backups, id, new Set(needed));
      await this.#checks.announce();
    }
  }

  async prove(id: string): Promise<ConnectProof> {
    const row = requireRow(id);
    const { connections } = await this.#registry.record(id);
    const connection = connections.find(({ status }) => status !== 'wiped');
    if (connection === undefined) throw problems.notConnected(row.title);
    const proof = await proveConnection(row, connection, this.#options);
    const { ok, tools, file } = proof;
    await this.#journal.append({ id, file, action: 'proved', ok, tools });
    await this.#checks.announce();
    return proof;
  }

  async quitClient(id: string): Promise<boolean> {
    const { machine, clock } = this.#options;
    const row = requireRow(id);
    const running = () => this.#registry.running(row);
    return quitClient({ platform: machine.platform, clock, running, timeoutMs: quitTimeoutMs });
  }

  undo(id: string): Promise<readonly UndoneFile[]> {
    return this.#locked(async () => {
      const row = requireRow(id);
      const { connections } = await this.#registry.record(id);
      if (connections.length === 0) throw problems.notConnected(row.title);
      await this.#registry.requireQuit(row);
      const format = await formatOf(row.format);
      const files: UndoneFile[] = [];
      for (const connection of connections)
        files.push(await undoConnection(this.#context, connection, format));
      return files;
    });
  }

  takeBack(id: string, writes: readonly string[]): Promise<readonly UndoneFile[]> {
    return this.#locked(async () => {
      const row = requireRow(id);
      await this.#registry.requireQuit(row);
      const format = await formatOf(row.format);
      const files: UndoneFile[] = [];
      for (const write of writes) {
        const { connections } = await this.#registry.record(id);
        const connection = connections.find((one) => one.writes.some((line) => line.write === write));
        if (connection !== undefined) files.push(await undoWrite(this.#context, connection, write, format));
      }
      return files;
    });
  }

  async accept(id: string): Promise<void> {
    await this.#locked(async () => {
      for (const { file, status } of (await this.#registry.record(requireRow(id).id)).connections) {
        if (status !== 'connected') await this.#journal.append({ id, file, action: 'forgotten' });
      }
    });
  }

  async journal(): Promise<readonly JournalRecord[]> {
    return journalRecords(await this.#journal.read());
  }

  async snippet({ id, transport }: OperationInput<'connect.snippet'>): Promise<Snippet> {
    const row = requireRow(id);
    const place = await this.#previews.locate(row);
    if (transport === 'http') return snippetOf(row, place, this.#options.endpoint());
    await this.#launcher.ensure();
    return snippetOf(row, place, this.#launcher.command(id));
  }

  async bundleFile(): Promise<string> {
    const { bundle, dataDir } = this.#options;
    if (bundle === undefined || !(await pathExists(bundle))) throw problems.noBundle();
    const copy = join(dataDir, 'bin', 'patchbay.mcpb');
    await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
    await copyFile(bundle, copy);
    return copy;
  }

  check(): Promise<void> {
    return this.#checks.check();
  }

  renewLauncher(): Promise<void> {
    return this.#launcher.ensure();
  }

  dispose(): void {
    this.#checks.dispose();
    this.#registry.dispose();
  }

  /** Runs a write while no other program of ours writes, then announces its result. */
  async #locked<T>(write: () => Promise<T>): Promise<T> {
    const outcome = await this.#lock.run(write);
    await this.#checks.announce();
    return outcome;
  }
}

/** Milliseconds to wait for a client to quit. */
const quitTimeoutMs = 15_000;

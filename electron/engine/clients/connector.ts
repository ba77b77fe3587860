import { randomUUID } from 'node:crypto';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ProblemError, toProblem } from '../../../shared/error/problem.ts';
import type { IpcEvent } from '../../../shared/ipc/contract.ts';
import type {
  AppliedFile,
  ConnectClient,
  ConnectPreview,
  FilePreview,
} from '../../../shared/model/connect.ts';
import { digestOf } from '../base/digest.ts';
import { Emitter } from '../base/emitter.ts';
import { createFileLock } from '../store/file-lock.ts';
import { clientView } from './client-view.ts';
import * as problems from './connect-problem.ts';
import type { Connector } from './contract.ts';
import { entryIn } from './edit/entry-edit.ts';
import { hunksBetween } from './edit/hunks.ts';
import { type PlannedEdit, planEdit, understood, withoutMark } from './edit/plan-edit.ts';
import { pruneBackups } from './file/backup.ts';
import { readClientFile } from './file/client-file.ts';
import type { Entry } from './format/contract.ts';
import { formatOf } from './format/format-of.ts';
import { createFileWatch, lookAt } from './guardian.ts';
import { type ClientRecord, type Connection, foldJournal, recordOf } from './journal/connections.ts';
import { createJournal } from './journal/journal.ts';
import { journalRecords } from './journal/journal-records.ts';
import { createLauncher } from './launcher/launcher.ts';
import type { ConnectorOptions } from './options.ts';
import { type FoundFile, findFiles, isThere } from './places.ts';
import { bareEnvironment } from './proof/bare-environment.ts';
import { prove } from './proof/prove.ts';
import { quitClient, type RunningClient, runningClients } from './running/running-client.ts';
import { snippetOf } from './snippet.ts';
import type { ClientRow } from './table/client-row.ts';
import { clientTable } from './table/client-table.ts';
import type { Command } from './table/entry-shape.ts';
import { writeEdit, writeUndo } from './write-edits.ts';

/** Milliseconds that a client is given to quit. */
const quitPatience = 15_000;

interface Plan {
  readonly previewId: string;
  readonly edits: readonly PlannedEdit[];
}

/** Connects clients of this machine to the hub of a data folder; see {@link Connector}. */
export function createConnector(options: ConnectorOptions): Connector {
  const { dataDir, machine, clock, log } = options;
  const journal = createJournal(join(dataDir, 'clients.journal'), clock);
  const backups = join(dataDir, 'backups');
  const lock = createFileLock({ file: join(dataDir, 'run', 'clients.lock'), clock });
  const launcher = createLauncher({ ...options, platform: machine.platform });
  const changes = new Emitter<IpcEvent<'connect.changed'>>();
  const plans = new Map<string, Plan>();
  const watch = createFileWatch(clock, () => void check().catch(warn));
  let told = '';

  const warn = (error: unknown) =>
    log.log('warn', 'The configs of clients could not be looked at.', { error });
  const records = async () => foldJournal(await journal.read());
  const record = async (id: string) => recordOf(await records(), id);
  const writing = { journal, clock, backups };

  async function list(): Promise<readonly ConnectClient[]> {
    const known = await records();
    const hasBundle = options.bundle !== undefined && (await isThere(options.bundle));
    const view = async (row: ClientRow) => {
      const own = recordOf(known, row.id);
      const found = await filesOf(row, own);
      return clientView(row, { found, record: own, rule: options.rule(row.clientNames[0]), hasBundle });
    };
    return Promise.all(clientTable.map(view));
  }

  async function filesOf(row: ClientRow, { chosen }: ClientRecord): Promise<readonly FoundFile[]> {
    if (chosen === undefined) return findFiles(row, machine);
    return [{ file: chosen, exists: await isThere(chosen) }];
  }

  /** Tells the list if it is other than the one told last, and watches what is connected now. */
  async function announce(): Promise<void> {
    const clients = await list();
    const connected = [...(await records()).values()].flatMap(({ connections }) => connections);
    await watch.follow(connected.map(({ file }) => file));
    const digest = digestOf(clients);
    if (digest === told) return;
    told = digest;
    changes.fire({ clients });
  }

  async function running(row: ClientRow): Promise<readonly RunningClient[]> {
    if (row.processes === undefined) return [];
    const listed = await options.processes().catch((error) => {
      warn(error);
      return [];
    });
    return runningClients(row, machine.platform, listed);
  }

  async function requireQuit(row: ClientRow): Promise<void> {
    if (row.overwrites !== true) return;
    const found = await running(row);
    if (found.length > 0) throw problems.isRunning(row.title, found);
  }

  async function preview(id: string): Promise<ConnectPreview> {
    const row = rowOf(id);
    const format = await formatOf(row.format);
    const entry = row.shape.stdio(launcher.command(id));
    const isOurs = (found: Entry) => isBridge(row.shape.command(found));
    const edits: PlannedEdit[] = [];
    const files: FilePreview[] = [];
    for (const { file } of await requireFiles(row)) {
      try {
        const edit = await planEdit({ file, format, root: row.root, entry, isOurs });
        edits.push(edit);
        files.push(filePreview(edit, format.render(edit.place, entry)));
      } catch (error) {
        files.push({ kind: 'refused', file, problem: toProblem(error) });
      }
    }
    const place = edits[0]?.place ?? { root: row.root, key: 'patchbay' };
    const plan = { previewId: randomUUID(), edits };
    plans.set(id, plan);
    const found = await running(row);
    return {
      id,
      previewId: plan.previewId,
      entryKey: place.key,
      entryText: format.render(place, entry),
      language: format.language,
      files,
      running: [...found],
      mustQuit: row.overwrites === true && found.length > 0,
    };
  }

  async function requireFiles(row: ClientRow): Promise<readonly FoundFile[]> {
    if (row.places === undefined && !row.canLocate) throw problems.byHandOnly(row.title);
    const found = await filesOf(row, await record(row.id));
    if (found.length === 0) throw problems.notFound(row.title);
    return found;
  }

  async function apply(id: string, previewId: string): Promise<readonly AppliedFile[]> {
    const row = rowOf(id);
    const plan = plans.get(id);
    if (plan?.previewId !== previewId) throw problems.changedSince('The config file');
    await requireQuit(row);
    await launcher.ensure();
    for (const { file, before } of plan.edits) {
      if ((await readClientFile(file)) !== before) throw problems.changedSince(file);
    }
    plans.delete(id);
    const files: AppliedFile[] = [];
    for (const edit of plan.edits) files.push(await writeEdit(writing, id, edit));
    const refused = files.flatMap((file) => (file.kind === 'refused' ? [file.problem] : []));
    await announce();
    if (refused[0] !== undefined && refused.length === files.length) throw new ProblemError(refused[0]);
    await pruneBackups(backups, id, backupsOf(await record(id)));
    return files;
  }

  async function proveEntry(id: string) {
    const row = rowOf(id);
    const connection = (await record(id)).connections.find(({ status }) => status !== 'wiped');
    if (connection === undefined) throw problems.notConnected(row.title);
    const clientName = row.clientNames[0];
    const proof = await prove({
      file: connection.file,
      read: () => writtenCommand(row, connection),
      env: bareEnvironment(machine),
      clientName: clientName ?? row.title,
      rule: options.rule(clientName),
      clock,
    });
    const { ok, tools, file } = proof;
    await journal.append({ id, file, action: 'proved', ok, ...(tools === undefined ? {} : { tools }) });
    await announce();
    return proof;
  }

  async function undo(id: string) {
    const row = rowOf(id);
    const { connections } = await record(id);
    if (connections.length === 0) throw problems.notConnected(row.title);
    await requireQuit(row);
    const format = await formatOf(row.format);
    const files = [];
    for (const connection of connections) files.push(await writeUndo(writing, connection, format));
    await announce();
    return files;
  }

  async function check(): Promise<void> {
    const connected = [...(await records()).values()].flatMap(({ connections }) => connections);
    if (connected.length > 0) await lock.run(note);
    await announce();
  }

  /** Notes what has become of the files that we wrote; under the lock, so that nobody is in the middle of a write. */
  async function note(): Promise<void> {
    for (const { connections } of (await records()).values()) {
      for (const connection of connections) await noteOne(connection);
    }
  }

  async function noteOne(connection: Connection): Promise<void> {
    const { id, file, settled, writes } = connection;
    const status = await lookAt(connection, await formatOf(rowOf(id).format));
    if (!settled) {
      const { write } = writes[writes.length - 1] ?? writes[0];
      await journal.append({ id, file, action: 'settled', write, ok: status === 'connected' });
    } else if (status !== connection.status) {
      await journal.append({ id, file, action: status === 'connected' ? 'found-again' : status });
    }
  }

  async function accept(id: string): Promise<void> {
    const { connections } = await record(rowOf(id).id);
    for (const { file, status } of connections) {
      if (status !== 'connected') await journal.append({ id, file, action: 'forgotten' });
    }
    await announce();
  }

  return {
    list,
    async setFile(id, file) {
      const row = rowOf(id);
      if (file === undefined) await journal.append({ id, file: '', action: 'unchosen' });
      else if (row.canLocate) await journal.append({ id, file, action: 'chosen' });
      else throw problems.byHandOnly(row.title);
      await announce();
    },
    preview,
    apply: (id, previewId) => lock.run(() => apply(id, previewId)),
    prove: proveEntry,
    quitClient(id) {
      const row = rowOf(id);
      return quitClient({
        platform: machine.platform,
        clock,
        running: () => running(row),
        patience: quitPatience,
      });
    },
    undo: (id) => lock.run(() => undo(id)),
    accept: (id) => lock.run(() => accept(id)),
    journal: async () => journalRecords(await journal.read()),
    async snippet({ id, transport }) {
      const row = rowOf(id);
      if (transport === 'http') return snippetOf(row, options.endpoint());
      await launcher.ensure();
      return snippetOf(row, launcher.command(id));
    },
    async bundleFile() {
      const { bundle } = options;
      if (bundle === undefined || !(await isThere(bundle))) throw problems.noBundle();
      const copy = join(dataDir, 'bin', 'patchbay.mcpb');
      await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
      await copyFile(bundle, copy);
      return copy;
    },
    async check() {
      const connected = [...(await records()).values()].some(({ connections }) => connections.length > 0);
      if (connected) await launcher.ensure().catch(warn);
      await check();
    },
    onChange: changes.event,
    dispose() {
      watch.dispose();
      changes.dispose();
    },
  };
}

function rowOf(id: string): ClientRow {
  const row = clientTable.find((one) => one.id === id);
  if (row === undefined) throw problems.unknownClient(id);
  return row;
}

function filePreview({ file, before, after }: PlannedEdit, entryText: string): FilePreview {
  if (before === after) return { kind: 'unchanged', file };
  const kind = before === undefined ? 'create' : 'change';
  return { kind, file, hunks: [...hunksBetween(withoutMark(before ?? ''), after, entryText)] };
}

/** Whatever Patchbay wrote it, and wherever that was installed. */
function isBridge(command: Command | undefined): boolean {
  if (command === undefined) return false;
  return [command.command, ...command.args].some((word) =>
    /(?:^|[\\/])patchbay-bridge(?:\.\w+)*$/.test(word),
  );
}

async function writtenCommand(row: ClientRow, { file, writes }: Connection): Promise<Command> {
  const { root, key } = writes[writes.length - 1] ?? writes[0];
  const format = await formatOf(row.format);
  const text = (await readClientFile(file)) ?? '';
  const entry = understood(file, () => entryIn(format, withoutMark(text), { root, key }));
  const command = row.shape.command((entry ?? {}) as Entry);
  if (command === undefined) throw problems.notConnected(row.title);
  return command;
}

function backupsOf({ connections }: ClientRecord): ReadonlySet<string> {
  return new Set(connections.flatMap(({ writes }) => writes.flatMap(({ backup }) => backup ?? [])));
}

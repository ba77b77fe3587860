import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AppliedFile, ConnectProof, UndoneFile } from '../../../shared/model/connect.ts';
import { removeDrafts } from '../store/drafts.ts';
import { createFileLock } from '../store/file-lock.ts';
import { ClientBook, rowOf } from './client-book.ts';
import * as problems from './connect-problem.ts';
import type { Connector } from './contract.ts';
import { pruneBackups } from './file/backup.ts';
import { formatOf } from './format/format-of.ts';
import { createFileWatch, hasNews, noteFate } from './guardian.ts';
import { createJournal } from './journal/journal.ts';
import { journalRecords } from './journal/journal-records.ts';
import { createLauncher } from './launcher/launcher.ts';
import type { ConnectorOptions } from './options.ts';
import { isThere } from './places.ts';
import { Previews } from './previews.ts';
import { proveConnection } from './proof/prove-connection.ts';
import { quitClient } from './running/running-client.ts';
import { snippetOf } from './snippet.ts';
import { writeBack, writeUndo } from './write-edits.ts';

/** Milliseconds that a client is given to quit. */
const quitPatience = 15_000;

/** Connects clients of this machine to the hub of a data folder; see {@link Connector}. */
export function createConnector(options: ConnectorOptions): Connector {
  const { dataDir, machine, clock, log } = options;
  const journal = createJournal(join(dataDir, 'clients.journal'), clock);
  const context = { journal, clock, backups: join(dataDir, 'backups') };
  const lock = createFileLock({ file: join(dataDir, 'run', 'clients.lock'), clock });
  const launcher = createLauncher({ ...options, platform: machine.platform });
  const book = new ClientBook(options, journal);
  const previews = new Previews(book, launcher);
  const warn = (error: unknown) =>
    log.log('warn', 'The configs of clients could not be looked at.', { error });
  const watch = createFileWatch(clock, () => void look().catch(warn));

  /** After anything that may have changed the list, or the files to be watched. */
  async function announce(): Promise<void> {
    await watch.follow((await book.connections()).map(({ file }) => file));
    await book.announce();
  }

  /** Notes are taken under the lock, so that nobody is in the middle of a write. */
  async function look(): Promise<void> {
    const news = await Promise.all((await book.connections()).map(hasNews));
    if (news.includes(true)) {
      await lock.run(async () => {
        for (const connection of await book.connections()) await noteFate(connection, journal);
      });
    }
    await announce();
  }

  /** A killed hub may have left the text that was to replace a client's config beside it. */
  async function removeLeftDrafts(): Promise<void> {
    const files = new Set((await journal.read()).map(({ file }) => file).filter((file) => file !== ''));
    if (files.size === 0) return;
    await lock.run(async () => {
      for (const file of files) await removeDrafts(dirname(file), [file]);
    });
  }

  async function check(): Promise<void> {
    await removeLeftDrafts().catch(warn);
    if ((await book.connections()).length > 0) await launcher.ensure().catch(warn);
    await look();
  }

  async function apply(id: string, previewId: string): Promise<readonly AppliedFile[]> {
    try {
      return await lock.run(() => previews.apply(id, previewId, context));
    } finally {
      const { connections } = await book.record(id);
      const needed = connections.flatMap(({ writes }) => writes.flatMap(({ backup }) => backup ?? []));
      await pruneBackups(context.backups, id, new Set(needed));
      await announce();
    }
  }

  async function proveClient(id: string): Promise<ConnectProof> {
    const row = rowOf(id);
    const connection = (await book.record(id)).connections.find(({ status }) => status !== 'wiped');
    if (connection === undefined) throw problems.notConnected(row.title);
    const proof = await proveConnection(row, connection, options);
    const { ok, tools, file } = proof;
    await journal.append({ id, file, action: 'proved', ok, ...(tools === undefined ? {} : { tools }) });
    await announce();
    return proof;
  }

  async function undo(id: string): Promise<readonly UndoneFile[]> {
    const row = rowOf(id);
    const { connections } = await book.record(id);
    if (connections.length === 0) throw problems.notConnected(row.title);
    await book.requireQuit(row);
    const format = await formatOf(row.format);
    const files: UndoneFile[] = [];
    for (const connection of connections) files.push(await writeUndo(context, connection, format));
    return files;
  }

  async function takeBack(id: string, writes: readonly string[]): Promise<readonly UndoneFile[]> {
    const row = rowOf(id);
    await book.requireQuit(row);
    const format = await formatOf(row.format);
    const files: UndoneFile[] = [];
    for (const write of writes) {
      const { connections } = await book.record(id);
      const connection = connections.find((one) => one.writes.some((line) => line.write === write));
      if (connection !== undefined) files.push(await writeBack(context, connection, write, format));
    }
    return files;
  }

  async function accept(id: string): Promise<void> {
    for (const { file, status } of (await book.record(rowOf(id).id)).connections) {
      if (status !== 'connected') await journal.append({ id, file, action: 'forgotten' });
    }
  }

  async function setFile(id: string, file: string | undefined): Promise<void> {
    const { canLocate, title } = rowOf(id);
    if (!canLocate) throw problems.byHandOnly(title);
    if (file === undefined) await journal.append({ id, file: '', action: 'unchosen' });
    else await journal.append({ id, file, action: 'chosen' });
  }

  async function told<T>(task: Promise<T>): Promise<T> {
    const outcome = await task;
    await announce();
    return outcome;
  }

  return {
    list: () => book.list(),
    setFile: (id, file) => told(lock.run(() => setFile(id, file))),
    preview: (id, take) => previews.show(id, take),
    apply,
    prove: proveClient,
    async quitClient(id) {
      const row = rowOf(id);
      const running = () => book.running(row);
      return quitClient({ platform: machine.platform, clock, running, patience: quitPatience });
    },
    undo: (id) => told(lock.run(() => undo(id))),
    takeBack: (id, writes) => told(lock.run(() => takeBack(id, writes))),
    accept: (id) => told(lock.run(() => accept(id))),
    journal: async () => journalRecords(await journal.read()),
    async snippet({ id, transport }) {
      const row = rowOf(id);
      const place = await previews.place(row);
      if (transport === 'http') return snippetOf(row, place, options.endpoint());
      await launcher.ensure();
      return snippetOf(row, place, launcher.command(id));
    },
    async bundleFile() {
      const { bundle } = options;
      if (bundle === undefined || !(await isThere(bundle))) throw problems.noBundle();
      const copy = join(dataDir, 'bin', 'patchbay.mcpb');
      await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
      await copyFile(bundle, copy);
      return copy;
    },
    check,
    onChange: book.onChange,
    dispose() {
      watch.dispose();
      book.dispose();
    },
  };
}

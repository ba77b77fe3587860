import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type {
  AppliedFile,
  ConnectProof,
  ConnectSnippet,
  UndoneFile,
} from '../../../shared/model/client/connect.ts';
import { createFileLock } from '../store/files/file-lock.ts';
import { removeTempFiles } from '../store/files/temp-files.ts';
import { ClientRegistry, requireRow } from './client-registry.ts';
import { pathExists } from './config-locations.ts';
import * as problems from './connect-problem.ts';
import { createFileWatch, hasChanged, recordStatus } from './connection-watch.ts';
import type { Connector } from './contract.ts';
import { undoConnection, undoWrite } from './edit/write-edits.ts';
import { pruneBackups } from './file/backup.ts';
import type { EntryLocation } from './format/contract.ts';
import { formatOf } from './format/format-of.ts';
import { createJournal } from './journal/journal.ts';
import { journalRecords } from './journal/journal-records.ts';
import { createLauncher } from './launcher/launcher.ts';
import type { ConnectorOptions } from './options.ts';
import { Previews } from './previews.ts';
import { proveConnection } from './proof/prove-connection.ts';
import { quitClient } from './running/running-client.ts';
import type { ClientRow } from './table/client-row.ts';
import type { Command, HttpTarget } from './table/entry-shape.ts';

/** Milliseconds to wait for a client to quit. */
const quitTimeoutMs = 15_000;

/** Connects clients of this machine to the hub of a data folder; see {@link Connector}. */
export function createConnector(options: ConnectorOptions): Connector {
  const { dataDir, machine, clock, log } = options;
  const journal = createJournal(join(dataDir, 'clients.journal'), clock);
  const context = { journal, clock, backups: join(dataDir, 'backups') };
  const lock = createFileLock({ file: join(dataDir, 'run', 'clients.lock'), clock });
  const launcher = createLauncher({ ...options, platform: machine.platform });
  const registry = new ClientRegistry(options, journal);
  const previews = new Previews(registry, launcher);
  const warn = (error: unknown) => log.log('warn', 'The client configs could not be checked.', { error });
  const watch = createFileWatch(clock, () => void checkFiles().catch(warn));

  /** Updates the watched files and the list after a change. */
  async function announce(): Promise<void> {
    await watch.follow((await registry.connections()).map(({ file }) => file));
    await registry.announce();
  }

  /** Changes are recorded under the lock, so that no write is in progress. */
  async function checkFiles(): Promise<void> {
    const news = await Promise.all((await registry.connections()).map(hasChanged));
    if (news.includes(true)) {
      await lock.run(async () => {
        for (const connection of await registry.connections()) await recordStatus(connection, journal);
      });
    }
    await announce();
  }

  /** A hub that was killed may have left a draft beside a client's config. */
  async function removeOrphanedDrafts(): Promise<void> {
    const files = new Set((await journal.read()).map(({ file }) => file).filter((file) => file !== ''));
    if (files.size === 0) return;
    await lock.run(async () => {
      for (const file of files) await removeTempFiles(dirname(file), [file]);
    });
  }

  async function check(): Promise<void> {
    await removeOrphanedDrafts().catch(warn);
    if ((await registry.connections()).length > 0) await launcher.ensure().catch(warn);
    await checkFiles();
  }

  async function apply(id: string, previewId: string): Promise<readonly AppliedFile[]> {
    try {
      return await lock.run(() => previews.apply(id, previewId, context));
    } finally {
      const { connections } = await registry.record(id);
      const needed = connections.flatMap(({ writes }) => writes.flatMap(({ backup }) => backup ?? []));
      await pruneBackups(context.backups, id, new Set(needed));
      await announce();
    }
  }

  async function proveClient(id: string): Promise<ConnectProof> {
    const row = requireRow(id);
    const connection = (await registry.record(id)).connections.find(({ status }) => status !== 'wiped');
    if (connection === undefined) throw problems.notConnected(row.title);
    const proof = await proveConnection(row, connection, options);
    const { ok, tools, file } = proof;
    await journal.append({ id, file, action: 'proved', ok, tools });
    await announce();
    return proof;
  }

  async function undo(id: string): Promise<readonly UndoneFile[]> {
    const row = requireRow(id);
    const { connections } = await registry.record(id);
    if (connections.length === 0) throw problems.notConnected(row.title);
    await registry.requireQuit(row);
    const format = await formatOf(row.format);
    const files: UndoneFile[] = [];
    for (const connection of connections) files.push(await undoConnection(context, connection, format));
    return files;
  }

  async function undoWrites(id: string, writes: readonly string[]): Promise<readonly UndoneFile[]> {
    const row = requireRow(id);
    await registry.requireQuit(row);
    const format = await formatOf(row.format);
    const files: UndoneFile[] = [];
    for (const write of writes) {
      const { connections } = await registry.record(id);
      const connection = connections.find((one) => one.writes.some((line) => line.write === write));
      if (connection !== undefined) files.push(await undoWrite(context, connection, write, format));
    }
    return files;
  }

  async function accept(id: string): Promise<void> {
    for (const { file, status } of (await registry.record(requireRow(id).id)).connections) {
      if (status !== 'connected') await journal.append({ id, file, action: 'forgotten' });
    }
  }

  async function setFile(id: string, file: string | undefined): Promise<void> {
    const { canLocate, title } = requireRow(id);
    if (!canLocate) throw problems.byHandOnly(title);
    if (file === undefined) await journal.append({ id, file: '', action: 'unchosen' });
    else await journal.append({ id, file, action: 'chosen' });
  }

  async function thenAnnounce<T>(task: Promise<T>): Promise<T> {
    const outcome = await task;
    await announce();
    return outcome;
  }

  return {
    list: () => registry.list(),
    setFile: (id, file) => thenAnnounce(lock.run(() => setFile(id, file))),
    preview: (id, take) => previews.show(id, take),
    apply,
    prove: proveClient,
    async quitClient(id) {
      const row = requireRow(id);
      const running = () => registry.running(row);
      return quitClient({ platform: machine.platform, clock, running, timeoutMs: quitTimeoutMs });
    },
    undo: (id) => thenAnnounce(lock.run(() => undo(id))),
    takeBack: (id, writes) => thenAnnounce(lock.run(() => undoWrites(id, writes))),
    accept: (id) => thenAnnounce(lock.run(() => accept(id))),
    journal: async () => journalRecords(await journal.read()),
    async snippet({ id, transport }) {
      const row = requireRow(id);
      const place = await previews.locate(row);
      if (transport === 'http') return snippetOf(row, place, options.endpoint());
      await launcher.ensure();
      return snippetOf(row, place, launcher.command(id));
    },
    async bundleFile() {
      const { bundle } = options;
      if (bundle === undefined || !(await pathExists(bundle))) throw problems.noBundle();
      const copy = join(dataDir, 'bin', 'patchbay.mcpb');
      await mkdir(dirname(copy), { recursive: true, mode: 0o700 });
      await copyFile(bundle, copy);
      return copy;
    },
    check,
    onChange: registry.onChange,
    dispose() {
      watch.dispose();
      registry.dispose();
    },
  };
}

interface Snippet {
  readonly shown: ConnectSnippet;
  /** The text with the token; only for the clipboard. */
  readonly whole: string;
}

/** Returns the text to add to a client's file by hand. */
async function snippetOf(
  row: ClientRow,
  place: EntryLocation,
  target: Command | HttpTarget,
): Promise<Snippet> {
  const format = await formatOf(row.format);
  const { language } = format;
  if ('command' in target) {
    const text = format.render(place, row.shape.stdio(target));
    return { shown: { text, language }, whole: text };
  }
  if (row.noHttp !== undefined) throw httpUnsupported(row.noHttp);
  const write = (token: string) => format.render(place, row.shape.http({ ...target, token }));
  return { shown: { text: write('•••'), language }, whole: write(target.token) };
}

function httpUnsupported(why: string): ProblemError {
  return new ProblemError(problem('client.unable', why, 'Use the entry that starts a program.'));
}

import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import type {
  ImportChoices,
  ImportPreview,
  ImportResult,
  ImportSource,
} from '../../../shared/model/import-session.ts';
import { digestOf } from '../base/digest.ts';
import { findFiles } from '../clients/places.ts';
import type { ClientRow } from '../clients/table/client-row.ts';
import { clientTable } from '../clients/table/client-table.ts';
import { type Added, addEntry } from './add-entry.ts';
import type { Importer, ImporterOptions } from './contract.ts';
import type { FoundSource } from './found.ts';
import { type JudgedServer, judgeSource } from './judge.ts';
import { readAnyFile, readClient, readPasted } from './read-source.ts';
import { putBack, type Replaced, replaceEntries } from './replace-entries.ts';
import { previewOf } from './view.ts';

interface Session {
  readonly source: FoundSource;
  readonly judged: readonly JudgedServer[];
}

interface Undo {
  readonly added: readonly Added[];
  readonly replaced?: Replaced;
}

interface ClientFile {
  readonly row: ClientRow;
  readonly file: string;
}

/** Sessions and undos kept; whoever opens more has forgotten the first ones. */
const kept = 20;

export function createImporter(options: ImporterOptions): Importer {
  const { config, vault, machine } = options;
  const sessions = new Map<string, Session>();
  const undos = new Map<string, Undo>();

  async function open(source: FoundSource): Promise<ImportPreview> {
    const around = { config, secret: vault.get, isStored: vault.isStored };
    const judged = await judgeSource(source, around);
    const session = keep(sessions, { source, judged });
    return previewOf(session, source, judged, vault.isStored);
  }

  async function add(choices: ImportChoices): Promise<ImportResult> {
    const { source, judged } = sessions.get(choices.session) ?? closed();
    const added: (Added & { readonly writtenKey: string })[] = [];
    const failed: { key: string; problem: ReturnType<typeof toProblem> }[] = [];
    for (const choice of choices.entries) {
      const server = judged.find(({ id }) => id === choice.id);
      if (server === undefined) continue;
      try {
        const one = await addEntry(options, server, choice, source.inputs, choices);
        added.push({ ...one, writtenKey: server.found.project === undefined ? server.found.key : '' });
      } catch (error) {
        failed.push({ key: choice.key, problem: toProblem(error) });
      }
    }
    const replacing = await replaceAdded(
      choices,
      source,
      added.map(({ writtenKey }) => writtenKey),
    );
    const undo = { added, ...(replacing?.replaced === undefined ? {} : { replaced: replacing.replaced }) };
    return {
      added: added.map(({ key }) => key),
      failed,
      secrets: added.flatMap(({ secrets }) => secrets),
      ...(replacing === undefined ? {} : { replaced: replacing.outcome }),
      ...(added.length === 0 ? {} : { undoId: keep(undos, undo) }),
    };
  }

  async function replaceAdded({ replace }: ImportChoices, { client }: FoundSource, keys: readonly string[]) {
    const wanted = keys.filter((key) => key !== '');
    if (!replace || client === undefined || wanted.length === 0) return undefined;
    return replaceEntries(options, client, wanted);
  }

  async function undo(undoId: string): Promise<void> {
    const { added, replaced } = undos.get(undoId) ?? closed();
    undos.delete(undoId);
    if (replaced !== undefined) await putBack(options, replaced);
    for (const { key, secrets, folder } of [...added].reverse()) {
      await config.remove(key).catch(() => undefined);
      for (const name of secrets) if (!isUsed(options, name)) await vault.delete(name);
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    }
  }

  return {
    sources: async () => (await clientFiles(options)).map(({ source }) => source),
    async read(id) {
      const found = (await clientFiles(options)).find(({ source }) => source.id === id);
      if (found === undefined) throw new ProblemError(gone());
      return open(await readClient(found.row, found.file, machine));
    },
    readFile: async (file) => open(await readAnyFile(file, machine)),
    parse: async (text) => open(await readPasted(text, machine)),
    add,
    undo,
    close: (session) => void sessions.delete(session),
  };
}

/** Files of known clients that are there; only asked for, not opened. */
async function clientFiles({
  machine,
}: ImporterOptions): Promise<readonly (ClientFile & { source: ImportSource })[]> {
  const found = await Promise.all(
    clientTable.map(async (row) => (await findFiles(row, machine)).map(({ file }) => ({ row, file }))),
  );
  const known = await Promise.all(
    found.flat().map(async ({ row, file }) => {
      const info = await stat(file).catch(() => undefined);
      if (info?.isFile() !== true) return [];
      const id = digestOf(file).slice(0, 16);
      const source = { id, client: row.id, title: row.title, file, modifiedAt: info.mtimeMs };
      return [{ row, file, source }];
    }),
  );
  return known.flat();
}

function isUsed({ config }: ImporterOptions, name: string): boolean {
  return config.state.servers.some(({ secretReferences = [] }) =>
    secretReferences.some((reference) => reference.name === name),
  );
}

/** Under a new id; the oldest goes when there are too many. */
function keep<T>(all: Map<string, T>, value: T): string {
  const id = randomUUID();
  all.set(id, value);
  const [oldest] = all.keys();
  if (all.size > kept && oldest !== undefined) all.delete(oldest);
  return id;
}

function closed(): never {
  const sentence = 'This import is over.';
  throw new ProblemError(problem('import.closed', sentence, 'Choose the source again.'));
}

function gone() {
  const sentence = 'The file is not there any more.';
  return problem('import.unreadable', sentence, 'Look at the list of sources again.');
}

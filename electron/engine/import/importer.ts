import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { type Problem, ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import type {
  ImportChoices,
  ImportPreview,
  ImportResult,
} from '../../../shared/model/import/import-session.ts';
import { findFiles, locationsOf } from '../clients/config-locations.ts';
import { unknownClient } from '../clients/connect-problem.ts';
import { clientTable } from '../clients/table/client-table.ts';
import { type ConfigStore, missingLabel } from '../config/contract.ts';
import { type AddedEntry, addEntry } from './add-entry.ts';
import type { Importer, ImporterOptions } from './contract.ts';
import type { FoundSource } from './found.ts';
import { applyMoves, hasAllValues, type MovedApp, previewMoves, undoMoves } from './move-servers.ts';
import type { LaterReferences } from './reference/later-references.ts';
import { previewOf } from './review/preview.ts';
import { reviewSource } from './review/review-source.ts';
import type { ReviewedServer } from './review/reviewed.ts';
import { type ClientFile, mergeSources, readApps } from './source/read-apps.ts';
import { readAnyFile, readPasted } from './source/read-source.ts';

interface Session {
  readonly source: FoundSource;
  readonly judged: readonly ReviewedServer[];
  /** Keys of the servers that were added, by their ids. */
  readonly added: Map<string, string>;
  readonly later: LaterReferences;
}

/** Additions and moves that an undo reverts. */
interface Undo {
  readonly added: readonly AddedEntry[];
  moved: readonly MovedApp[];
}

/** Maximum number of sessions and undos in memory; the oldest are dropped. */
const maxSessions = 20;

export function createImporter(options: ImporterOptions): Importer {
  const { config, vault, machine, connector } = options;
  const sessions = new Map<string, Session>();
  const undos = new Map<string, Undo>();

  async function openSession(source: FoundSource): Promise<ImportPreview> {
    const context = { config, secret: vault.get, isStored: vault.isStored };
    const judged = await reviewSource(source, context);
    const session = store(sessions, { source, judged, added: new Map(), later: new Map() });
    return previewOf(session, source, judged, vault.isStored);
  }

  async function readFiles(files: readonly string[]): Promise<ImportPreview> {
    const sources = await Promise.all(files.map((file) => readFile(file, machine).catch(toProblem)));
    const [first] = sources;
    if (first !== undefined && files.length === 1)
      return openSession('code' in first ? throwProblem(first) : first);
    return openSession(mergeSources(files, sources));
  }

  async function add(choices: ImportChoices): Promise<ImportResult> {
    const session = sessions.get(choices.session) ?? throwClosed();
    const added: AddedEntry[] = [];
    const failed: { key: string; problem: ReturnType<typeof toProblem> }[] = [];
    for (const choice of choices.entries) {
      const server = session.judged.find(({ id }) => id === choice.id);
      if (server === undefined) continue;
      try {
        added.push(await addEntry(options, server, choice, choices, session.later));
        session.added.set(choice.id, choice.key);
      } catch (error) {
        failed.push({ key: choice.key, problem: toProblem(error) });
      }
    }
    return {
      added: added.map(({ key }) => key),
      failed,
      secrets: added.flatMap(({ secrets }) => secrets),
      waiting: missingValuesOf(config, added),
      undoId: added.length === 0 ? undefined : store(undos, { added, moved: [] }),
    };
  }

  /** Throws if an app's file could not be restored, so that the undo can be tried again. */
  async function undo(undoId: string): Promise<void> {
    const all = undos.get(undoId) ?? throwClosed();
    await undoMoves(connector, all.moved);
    for (const { key, secrets, folder } of [...all.added].reverse()) {
      await config.remove(key).catch(() => undefined);
      for (const name of secrets) if (!isSecretUsed(options, name)) await vault.delete(name);
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    }
    undos.delete(undoId);
  }

  return {
    readApps: async (client) => openSession(await readApps(await clientFiles(options, client), machine)),
    readFiles,
    parse: async (text) => openSession(await readPasted(text, machine)),
    add,
    async previewMove({ session, entries, clients }) {
      const { judged, added } = sessions.get(session) ?? throwClosed();
      const isRun = (server: ReviewedServer) => {
        const key = added.get(server.id);
        return key === undefined
          ? entries.includes(server.id) && !hasOpenInput(server)
          : hasAllValues(config, key);
      };
      return previewMoves(connector, judged, { runsHere: isRun, config, clients });
    },
    async move({ session, apps, undoId }) {
      if (!sessions.has(session)) throwClosed();
      const known = undoId === undefined ? undefined : undos.get(undoId);
      const all = known ?? { added: [], moved: [] };
      const result = await applyMoves(connector, apps);
      all.moved = [...all.moved, ...result.moved];
      const id = known === undefined || undoId === undefined ? store(undos, all) : undoId;
      return { apps: result.apps, undoId: id };
    },
    undo,
    close: (session) => void sessions.delete(session),
  };
}

/** Reads a file as the app it belongs to does, otherwise by its content. */
async function readFile(file: string, machine: ImporterOptions['machine']): Promise<FoundSource> {
  const row = clientTable.find((one) => locationsOf(one, machine).some((place) => place.file === file));
  if (row === undefined) return readAnyFile(file, machine);
  const source = await readApps([{ row, file }], machine);
  const [app] = source.apps ?? [];
  return app?.problem === undefined ? source : throwProblem(app.problem);
}

function throwProblem(found: Problem): never {
  throw new ProblemError(found);
}

/** Returns the existing files of apps, including those that the user has chosen. */
async function clientFiles(
  { machine, connector }: ImporterOptions,
  client: string | undefined,
): Promise<readonly ClientFile[]> {
  const rows = clientTable.filter(({ id }) => client === undefined || id === client);
  if (client !== undefined && rows.length === 0) throw unknownClient(client);
  const chosen = (await connector.list()).map(({ id, files }) => ({
    id,
    files: files.filter((one) => one.chosen),
  }));
  const found = await Promise.all(
    rows.map(async (row) => {
      const own = chosen.find(({ id, files }) => id === row.id && files.length > 0);
      const files = own?.files ?? (await findFiles(row, machine));
      return files.map(({ file }) => ({ row, file }));
    }),
  );
  const known = await Promise.all(
    found.flat().map(async (one) => {
      const info = await stat(one.file).catch(() => undefined);
      return info?.isFile() === true ? [one] : [];
    }),
  );
  return known.flat();
}

/** Lists the values that added servers still need, by the labels the user enters them with. */
function missingValuesOf(
  { state }: Pick<ConfigStore, 'state'>,
  added: readonly AddedEntry[],
): ImportResult['waiting'] {
  const keys = new Set(added.map(({ key }) => key));
  return state.servers
    .filter(({ key, enabled, missing = [] }) => keys.has(key) && enabled && missing.length > 0)
    .map(({ key, missing = [] }) => ({ key, values: missing.map(missingLabel) }));
}

function hasOpenInput({ inputs }: ReviewedServer): boolean {
  return inputs.some(({ view }) => view.required && (view.default ?? '') === '');
}

function isSecretUsed({ config }: ImporterOptions, name: string): boolean {
  return config.state.servers.some(({ secretReferences = [] }) =>
    secretReferences.some((reference) => reference.name === name),
  );
}

/** Stores a value under a new id; drops the oldest if there are too many. */
function store<T>(all: Map<string, T>, value: T): string {
  const id = randomUUID();
  all.set(id, value);
  const [oldest] = all.keys();
  if (all.size > maxSessions && oldest !== undefined) all.delete(oldest);
  return id;
}

function throwClosed(): never {
  const sentence = 'This import has ended.';
  throw new ProblemError(problem('import.closed', sentence, 'Choose the source again.'));
}

import { type Problem, ProblemError, toProblem } from '../../../shared/error/problem.ts';
import type { MovePreview, MoveResult } from '../../../shared/model/import/import-session.ts';
import type { Connector } from '../clients/contract.ts';
import type { EntryLocation } from '../clients/format/contract.ts';
import { clientTable } from '../clients/table/client-table.ts';
import type { ConfigStore } from '../config/contract.ts';
import type { FoundOrigin } from './found.ts';
import type { ReviewedServer } from './review/reviewed.ts';

/** Writes to the files of one app, by their ids in the journal. */
export interface MovedApp {
  readonly client: string;
  readonly writes: readonly string[];
}

interface MoveContext {
  /** Returns whether Patchbay runs the server through this import. */
  readonly runsHere: (server: ReviewedServer) => boolean;
  readonly config: Pick<ConfigStore, 'state'>;
  readonly clients: readonly string[] | undefined;
}

/**
 * Previews what would be removed from each app's files: all servers that Patchbay runs, through this import
 * or already before.
 */
export async function previewMoves(
  connector: Pick<Connector, 'preview'>,
  judged: readonly ReviewedServer[],
  { runsHere, config, clients }: MoveContext,
): Promise<readonly MovePreview[]> {
  const origins = judged
    .filter((server) => runsHere(server) || isAlreadyRun(server, config))
    .flatMap(({ found }) => found.origins ?? []);
  const rows = clientTable.filter(
    ({ id }) =>
      (clients === undefined || clients.includes(id)) && origins.some(({ client }) => client === id),
  );
  return Promise.all(
    rows.map(async ({ id, title, pickupText }): Promise<MovePreview> => {
      const own = origins.filter(({ client }) => client === id);
      const app = { client: id, title, servers: own.map(({ location }) => location.key), pickupText };
      try {
        const preview = await connector.preview(id, locationsByFile(own));
        const [first] = preview.files.flatMap((file) => (file.kind === 'refused' ? [file.problem] : []));
        const isRefused = preview.files.every(({ kind }) => kind === 'refused');
        if (isRefused && first !== undefined) return { ...app, outcome: { kind: 'refused', problem: first } };
        return { ...app, outcome: { kind: 'ready', preview } };
      } catch (error) {
        return { ...app, outcome: { kind: 'refused', problem: toProblem(error) } };
      }
    }),
  );
}

/** A server of ours that is turned off does not replace one that the app starts. */
function isAlreadyRun({ duplicate }: ReviewedServer, config: MoveContext['config']): boolean {
  if (duplicate === undefined || (duplicate.kind === 'key' && !duplicate.same)) return false;
  const known = config.state.servers.find(({ key }) => key === duplicate.key);
  return known?.enabled === true && hasAllValues(config, known.key);
}

/** A server that needs a value does not start here: it stays with the app, which may have that value. */
export function hasAllValues({ state }: MoveContext['config'], key: string): boolean {
  return state.servers.some((server) => server.key === key && (server.missing ?? []).length === 0);
}

function locationsByFile(origins: readonly FoundOrigin[]): ReadonlyMap<string, readonly EntryLocation[]> {
  const places = new Map<string, readonly EntryLocation[]>();
  for (const { file, location } of origins) places.set(file, [...(places.get(file) ?? []), location]);
  return places;
}

/** Applies the previews app by app; one failure does not affect the others. */
export async function applyMoves(
  connector: Pick<Connector, 'apply'>,
  apps: readonly { readonly client: string; readonly previewId: string }[],
): Promise<Pick<MoveResult, 'apps'> & { readonly moved: readonly MovedApp[] }> {
  const done: MoveResult['apps'][number][] = [];
  const moved: MovedApp[] = [];
  for (const { client, previewId } of apps) {
    const row = clientTable.find(({ id }) => id === client);
    const app = { client, title: row?.title ?? client, pickupText: row?.pickupText ?? '' };
    try {
      const files = await connector.apply(client, previewId);
      moved.push({ client, writes: files.flatMap((file) => (file.kind === 'written' ? [file.write] : [])) });
      done.push({ ...app, files });
    } catch (error) {
      done.push({ ...app, files: [], problem: toProblem(error) });
    }
  }
  return { apps: done, moved };
}

/** Undoes the moves. Rejects with the first problem after trying all files; restored files stay restored. */
export async function undoMoves(
  connector: Pick<Connector, 'takeBack'>,
  moved: readonly MovedApp[],
): Promise<void> {
  const problems: Problem[] = [];
  for (const { client, writes } of [...moved].reverse()) {
    const files = await connector.takeBack(client, writes).catch((error: unknown) => {
      problems.push(toProblem(error));
      return [];
    });
    problems.push(...files.flatMap((file) => (file.kind === 'refused' ? [file.problem] : [])));
  }
  const [first] = problems;
  if (first !== undefined) throw new ProblemError(first);
}

import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Problem, toProblem } from '../../../shared/error/problem.ts';
import { isRecord } from '../../../shared/json.ts';
import type { ImportInput } from '../../../shared/model/import-session.ts';
import type { EntryLocation } from '../clients/format/contract.ts';
import type { Machine } from '../clients/machine.ts';
import type { ClientRow } from '../clients/table/client-row.ts';
import type { FoundApp, FoundInput, FoundOrigin, FoundServer, FoundSource } from './found.ts';
import { isOwnBridge } from './judge.ts';
import { areCompatible, mergeServers, signatureOf } from './merge-found.ts';
import { readClient } from './read-source.ts';

export interface ClientFile {
  readonly row: ClientRow;
  readonly file: string;
}

/**
 * Merges the servers of several clients' files into one list: equal ones become one server with several
 * origins. A file that cannot be read is reported beside the others.
 */
export async function readApps(files: readonly ClientFile[], machine: Machine): Promise<FoundSource> {
  const read = await Promise.all(files.map((one) => readApp(one, machine)));
  const [only, ...others] = read;
  const isOne = only !== undefined && others.length === 0;
  return {
    ...(isOne ? { title: only.app.title, file: only.app.file } : { title: 'Your apps' }),
    servers: mergeEqual(withDistinctInputs(read.flatMap(({ servers }) => servers))),
    inputs: [],
    issues: [],
    apps: read.map(({ app }) => app),
  };
}

/** Merges several files into one list, each under its name; a file that cannot be read becomes an issue. */
export function mergeSources(
  files: readonly string[],
  sources: readonly (FoundSource | Problem)[],
): FoundSource {
  const read = sources.map((source, at) => ({ source, name: basename(files[at] ?? '') }));
  const servers = read.flatMap(({ source, name }) => {
    if ('code' in source) return [];
    const own = source.inputs.map((input) => ({ ...input, from: name }));
    return source.servers.map((server) => ({ ...server, inputs: [...(server.inputs ?? []), ...own] }));
  });
  const issues = read.flatMap(({ source, name }): FoundSource['issues'] =>
    'code' in source
      ? [{ severity: 'warning', path: name, message: source.sentence }]
      : source.issues.map(({ severity, message }) => ({ severity, path: name, message })),
  );
  const apps = read.flatMap(({ source }) => ('code' in source ? [] : (source.apps ?? [])));
  const title = read.map(({ name }) => name).join(', ');
  return { title, servers: mergeEqual(withDistinctInputs(servers)), inputs: [], issues, apps };
}

interface ReadApp {
  readonly app: FoundApp;
  readonly servers: readonly FoundServer[];
}

async function readApp({ row, file }: ClientFile, machine: Machine): Promise<ReadApp> {
  const { id: client, title } = row;
  const app = { client, title, file };
  try {
    const { servers: all, inputs } = await readClient(row, file, machine);
    const servers = all.filter(({ entry }) => !isOwnBridge(entry));
    const own = inputs.map((input) => ({ ...input, from: title }));
    return {
      app: { ...app, servers: servers.length },
      servers: servers.map((server) => ({ ...server, inputs: own, origins: [originOf(server, app, row)] })),
    };
  } catch (error) {
    return { app: { ...app, servers: 0, problem: toProblem(error) }, servers: [] };
  }
}

function originOf(
  { key, under }: FoundServer,
  app: Pick<FoundApp, 'client' | 'title' | 'file'>,
  { root }: ClientRow,
): FoundOrigin {
  const place: EntryLocation = { ...(under ?? { root }), key };
  return { ...app, location: place };
}

/** Two apps may use one id for different values; equal questions are asked once. */
function withDistinctInputs(servers: readonly FoundServer[]): readonly FoundServer[] {
  const known = new Map<string, FoundInput>();
  const withOwnId = (input: FoundInput): FoundInput => {
    const first = known.get(input.view.id) ?? input;
    known.set(input.view.id, first);
    if (isDeepStrictEqual(first.view, input.view)) return input;
    return { ...input, view: { ...input.view, id: `${input.view.id}@${input.from}` } };
  };
  return servers.map((server) => ({ ...server, inputs: (server.inputs ?? []).map(withOwnId) }));
}

function mergeEqual(servers: readonly FoundServer[]): readonly FoundServer[] {
  const list: FoundServer[] = [];
  for (const server of servers) {
    const twin = list.findIndex((other) => isSame(other, server));
    const other = list[twin];
    if (other === undefined) list.push(server);
    else list[twin] = mergeTwo(other, server);
  }
  return list;
}

/**
 * Returns whether both run the same program with the same variables, or use the same address; references
 * match any value.
 */
function isSame(a: FoundServer, b: FoundServer): boolean {
  return (
    signatureOf(a) === signatureOf(b) &&
    areCompatible(a, b) &&
    isDeepStrictEqual(a.entry.cwd, b.entry.cwd) &&
    isDeepStrictEqual(namesIn(a.entry.env), namesIn(b.entry.env))
  );
}

function namesIn(env: unknown): readonly string[] {
  return isRecord(env) ? Object.keys(env).sort() : [];
}

/** Prefers the server whose values are written out over one that needs inputs. */
function mergeTwo(first: FoundServer, second: FoundServer): FoundServer {
  const [better, other] = openInputCount(second) < openInputCount(first) ? [second, first] : [first, second];
  const { project, ...server } = mergeServers(better, other);
  const isOfProject = first.project !== undefined && second.project !== undefined;
  return {
    ...server,
    key: first.key,
    ...(isOfProject && project !== undefined ? { project } : {}),
    inputs: [...(better.inputs ?? []), ...(other.inputs ?? [])],
    origins: [...(first.origins ?? []), ...(second.origins ?? [])],
  };
}

function openInputCount({ entry, inputs = [] }: FoundServer): number {
  const text = JSON.stringify(entry);
  return inputs.filter(({ tokens }) =>
    tokens.some((token) => text.includes(JSON.stringify(token.text).slice(1, -1))),
  ).length;
}

/** Returns one input per id, with the app's name added to equal titles. */
export function distinctInputs(inputs: readonly FoundInput[]): readonly ImportInput[] {
  const byId = new Map(inputs.map((input) => [input.view.id, input]));
  const all = [...byId.values()];
  return all.map(({ view, from }) => {
    const isNamesake = all.some((other) => other.view.id !== view.id && other.view.title === view.title);
    return isNamesake && from !== undefined ? { ...view, title: `${view.title} (${from})` } : view;
  });
}

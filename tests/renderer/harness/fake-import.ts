import { type ParseError, parse } from 'jsonc-parser';
import type { IpcCallName, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import type {
  ImportChoices,
  ImportEntry,
  ImportPreview,
} from '../../../shared/model/import/import-session.ts';
import { entryIssues } from './fake-config.ts';
import {
  noApps,
  plain,
  sampleApps,
  sampleImportResult,
  sampleMoveResult,
  sampleMoves,
  samplePreview,
  unreadableText,
} from './sample-import.ts';

type ImportCall = Extract<IpcCallName, `import.${string}`>;
type ImportHandlers = { [N in ImportCall]: (input: IpcInput<N>) => IpcOutput<N> };
type Entry = Record<string, unknown>;
type Added = { readonly key: string; readonly entry: Entry };

/** Returns the contents of all apps, or of one. */
function appsOf(client: string | undefined): ImportPreview {
  if (client === undefined) return sampleApps;
  const entries = sampleApps.entries.filter(({ origins }) => origins.some((one) => one.client === client));
  return { ...sampleApps, entries, apps: sampleApps.apps.filter((app) => app.client === client) };
}

/** Fakes the apps of a machine; a bare one has none. Servers of pasted text are added as the hub would. */
export function fakeImport(
  keys: () => readonly string[],
  add: (servers: readonly Added[]) => void,
): ImportHandlers {
  let pasted: readonly Entry[] = [];
  let looks = 0;
  return {
    'import.readApps': ({ client }) => (keys().length > 0 ? appsOf(client) : noApps),
    'import.parse': ({ text }) => {
      const { preview, entries } = pastedPreview(text, new Set(keys()));
      pasted = entries;
      return preview;
    },
    'import.readFiles': () => ({ ...samplePreview, apps: [] }),
    'import.clipboard': () => ({}),
    'import.openFile': () => ({ preview: samplePreview }),
    'import.choosePath': () => ({ path: '/home/ada/work' }),
    'import.add': (choices) => {
      const { session, entries } = choices;
      if (session !== pastedSession) return sampleImportResult(choices);
      add(addedEntries(choices, pasted));
      return { added: entries.map(({ key }) => key), failed: [], secrets: [], waiting: [], undoId: 'u2' };
    },
    'import.previewMove': ({ clients }) => {
      looks += 1;
      return { apps: sampleMoves(looks > 1).filter(({ client }) => clients?.includes(client) ?? true) };
    },
    'import.move': ({ apps }) => sampleMoveResult(apps.map(({ client }) => client)),
    'import.undo': () => undefined,
    'import.close': () => undefined,
  };
}

const pastedSession = 'pasted';

function addedEntries({ entries }: ImportChoices, pasted: readonly Entry[]): readonly Added[] {
  return entries.flatMap(({ id, key }) => {
    const entry = pasted[Number(id)];
    return entry === undefined ? [] : [{ key, entry }];
  });
}

/** Works like the engine, but only for JSON. */
function pastedPreview(
  text: string,
  taken: ReadonlySet<string>,
): { readonly preview: ImportPreview; readonly entries: readonly Entry[] } {
  const errors: ParseError[] = [];
  const value = parse(text, errors, { allowTrailingComma: true }) as Entry | undefined;
  if (/^https:\/\/github\.com\//.test(text)) return { preview: aPage, entries: [] };
  if (errors.length > 0 || typeof value !== 'object') return { preview: unreadableText, entries: [] };
  const isOne = 'command' in value || 'url' in value;
  const found = Object.entries(
    (isOne ? { server: value } : (value.mcpServers ?? value)) as Record<string, Entry>,
  );
  return {
    entries: found.map(([, entry]) => entry),
    preview: {
      ...unreadableText,
      session: pastedSession,
      issues: [],
      forms: ['JSON'],
      entries: found.map(([key, entry], index) => entryOf(key, entry, index, taken)),
      inputs: text.includes('<your') ? [asked] : [],
    },
  };
}

function entryOf(key: string, entry: Entry, index: number, taken: ReadonlySet<string>): ImportEntry {
  const args = Array.isArray(entry.args) ? entry.args : [];
  const issues = entryIssues(entry);
  return {
    ...plain,
    id: String(index),
    key: taken.has(key) ? `${key}-2` : key,
    writtenKey: key,
    target: String(entry.url ?? [entry.command ?? '', ...args].join(' ')),
    transport: entry.url === undefined ? 'stdio' : 'http',
    inputs: JSON.stringify(entry).includes('<your') ? [asked.id] : [],
    issues,
    suggested: issues.length === 0,
    ...(taken.has(key) ? { duplicate: { kind: 'key', key, same: false } } : {}),
  };
}

const asked = {
  id: 'fill:BRAVE_API_KEY',
  title: 'BRAVE_API_KEY',
  kind: 'password',
  required: true,
  secretName: 'BRAVE_API_KEY',
} as const;

const aPage: ImportPreview = {
  ...unreadableText,
  issues: [
    {
      severity: 'error',
      path: '',
      message:
        'https://github.com/acme/kite is a GitHub page, not an MCP server. Paste the command, the config or the server address from that page.',
    },
  ],
};

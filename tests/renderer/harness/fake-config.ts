import { type ParseError, parse } from 'jsonc-parser';
import type { Problem } from '../../../shared/error/problem.ts';
import type { IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import type { EntryIssue } from '../../../shared/model/import/import.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { serverEntrySchema } from '../../../shared/schema/server-entry.ts';

type Entry = Record<string, unknown>;

interface Removed {
  readonly index: number;
  readonly server: ServerView;
}

/** Fakes the config file, as far as the window can see it. */
export class FakeConfig {
  readonly #texts = new Map<string, string>();
  readonly #removed = new Map<string, Removed>();

  constructor(servers: readonly ServerView[]) {
    for (const server of servers) this.#texts.set(server.key, firstText(server));
  }

  text(key: string): string {
    return this.#texts.get(key) ?? '{}';
  }

  setText(key: string, text: string): void {
    this.#texts.set(key, text);
  }

  /** Works like the engine, with the members of the entry as fields. */
  save({ key, newKey = key, text, base, resolve }: IpcInput<'server.saveText'>): string {
    if (base === undefined || this.text(key) === base) {
      this.setText(newKey, text);
      return text;
    }
    const theirs = this.entry(key);
    const mine = parse(text) as Entry;
    const old = parse(base) as Entry;
    const changed = (side: Entry) => (name: string) =>
      JSON.stringify(side[name]) !== JSON.stringify(old[name]);
    const fields = Object.keys({ ...old, ...mine, ...theirs });
    const both = fields.filter((name) => changed(mine)(name) && changed(theirs)(name));
    if (both.length > 0 && resolve === undefined) throw changedMeanwhile(key, both);
    const ofMine = fields.filter(
      (name) => changed(mine)(name) && !(both.includes(name) && resolve?.keep === 'theirs'),
    );
    this.set(newKey, { ...theirs, ...Object.fromEntries(ofMine.map((name) => [name, mine[name]])) });
    return this.text(newKey);
  }

  entry(key: string): Entry {
    return parse(this.text(key)) as Entry;
  }

  set(key: string, entry: Entry): void {
    this.#texts.set(key, JSON.stringify(entry, undefined, 2));
  }

  keepRemoved(undoId: string, index: number, server: ServerView | undefined): void {
    if (server !== undefined) this.#removed.set(undoId, { index, server });
  }

  takeRemoved(undoId: string): Removed {
    const removed = this.#removed.get(undoId);
    if (removed === undefined) throw new Error('nothing to undo');
    return removed;
  }

  validate(
    { key, originalKey, text }: IpcInput<'server.validate'>,
    servers: readonly ServerView[],
  ): IpcOutput<'server.validate'> {
    const errors: ParseError[] = [];
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    if (errors.length > 0)
      return { issues: [{ severity: 'error', path: '', message: 'This is not valid JSON.' }] };
    const issues = [...keyIssues(key, originalKey, servers), ...entryIssues(value), ...plainSecrets(value)];
    return { issues, entry: value as Entry };
  }
}

function changedMeanwhile(key: string, fields: readonly string[]): Problem {
  return {
    code: 'config.changed_meanwhile',
    sentence: `${key}: ${fields.join(', ')} changed in the config file too.`,
    fix: 'Decide which is to stay.',
    evidence: fields.map((label) => ({ label, value: 'changed on both sides' })),
  };
}

/** Returns the entry's options so that they match the server's view. */
function optionsText({ start, isolation }: ServerView): string {
  const options = {
    ...(start === 'auto' ? {} : { start }),
    ...(isolation === 'shared' ? {} : { isolation }),
  };
  const text = JSON.stringify(options, undefined, 2).replaceAll('\n', '\n  ');
  return Object.keys(options).length === 0 ? '' : `,\n  "patchbay": ${text}`;
}

function firstText(server: ServerView): string {
  const { target, transport } = server;
  if (transport !== 'stdio') {
    return `{\n  "url": "${target}",\n  "headers": {\n    "Authorization": "Bearer sk-live-3f9a8b7c6d"\n  }\n}`;
  }
  const [command, ...args] = target.split(' ');
  const list = args.map((arg) => `    "${arg}"`).join(',\n');
  return `{\n  // added by hand\n  "command": "${command}",\n  "args": [\n${list}\n  ],\n  "env": {\n    "LOG_LEVEL": "debug",\n    "API_TOKEN": "ghp_x7Qm2vL9sT4wY8",\n    "HOME_DIR": "\${HOME}"\n  }${optionsText(server)}\n}`;
}

function keyIssues(
  key: string,
  originalKey: string | undefined,
  servers: readonly ServerView[],
): EntryIssue[] {
  if (key === '') return [{ severity: 'error', path: '(key)', message: 'A server needs a name.' }];
  if (key.includes(':'))
    return [{ severity: 'error', path: '(key)', message: 'A name must not contain ":".' }];
  const taken = key !== originalKey && servers.some((server) => server.key === key);
  return taken
    ? [{ severity: 'error', path: '(key)', message: `There is a server named ${key} already.` }]
    : [];
}

/** Works like the engine, for one variable. */
function plainSecrets(value: unknown): EntryIssue[] {
  const token = (value as { env?: { API_TOKEN?: unknown } }).env?.API_TOKEN;
  if (typeof token !== 'string' || token.includes('$') || token === '') return [];
  const secret = { path: ['env', 'API_TOKEN'], from: 0, to: token.length, name: 'API_TOKEN' };
  const message = 'this looks like a secret in plain text';
  return [{ severity: 'warning', path: 'env.API_TOKEN', message, secret }];
}

export function entryIssues(value: unknown): EntryIssue[] {
  const parsed = serverEntrySchema.safeParse(value);
  if (parsed.success) return [];
  return parsed.error.issues.map(({ path, message }) => ({
    severity: 'error',
    path: path.join('.'),
    message,
  }));
}

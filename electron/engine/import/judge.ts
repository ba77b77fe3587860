import { isRecord } from '../../../shared/json.ts';
import type { EntryIssue } from '../../../shared/model/import.ts';
import type { ImportEntry } from '../../../shared/model/import-session.ts';
import type { ConfigStore } from '../config/contract.ts';
import { displayOf } from '../config/display.ts';
import { keyStep } from '../config/issue.ts';
import { parseText } from '../config/parse.ts';
import { type PlainSecret, plainSecretsIn } from '../config/plain-secrets.ts';
import { titleIn } from '../config/resolve.ts';
import { type Answers, answerInputs, flatEntry, inputsOf } from './answer-inputs.ts';
import {
  type Entry,
  type FoundInput,
  type FoundServer,
  type FoundSource,
  withBundleFolder,
} from './found.ts';
import { nameSecrets } from './name-secrets.ts';
import { replaceSecrets } from './replace-secrets.ts';
import { type ComparedServer, createIsSame } from './sameness.ts';
import { isTitle, suggestKey } from './suggest-key.ts';

/** A secret of an entry, with its value and name. */
export interface ReviewedSecret {
  readonly id: string;
  readonly location: PlainSecret;
  readonly value: string;
  readonly secretName: string;
}

/** A found server with everything known about it. Contains real values. */
export interface ReviewedServer {
  readonly id: string;
  readonly found: FoundServer;
  readonly key: string;
  /** Display name, if the key says less. */
  readonly title?: string;
  readonly issues: readonly EntryIssue[];
  readonly duplicate?: NonNullable<ImportEntry['duplicate']>;
  readonly secrets: readonly ReviewedSecret[];
  /** Lists the values to ask for before it can be added. */
  readonly inputs: readonly FoundInput[];
}

export interface ReviewContext {
  readonly config: Pick<ConfigStore, 'validate' | 'configure' | 'state'>;
  /** Returns the value of a stored secret; undefined if there is none. */
  readonly secret: (name: string) => string | undefined;
  readonly isStored: (name: string) => boolean;
}

/** Validates each server of a source, compared with the current config. */
export async function reviewSource(
  { servers, inputs }: FoundSource,
  context: ReviewContext,
): Promise<readonly ReviewedServer[]> {
  const taken = new Set(context.config.state.servers.map(({ key }) => key));
  const names = nameSecrets(context);
  const reviewed: ReviewedServer[] = [];
  for (const [index, found] of servers.entries()) {
    const needs = found.inputs ?? inputs;
    const key = suggestKey(distinctName(found, servers.slice(0, index)), found.entry, taken);
    taken.add(key);
    const title = titleOf(found, key);
    const asked = new Set(inputsOf(found.entry, needs));
    const own = needs.filter(({ view }) => asked.has(view.id));
    const tried = withBundleFolder(
      answerInputs(found.entry, needs, sampleAnswers(needs, found.entry)),
      found.bundle,
      '/bundle',
    );
    const secrets = plainSecretsIn(found.entry, key).map((place) => names(found.entry, place));
    const compared = { entry: found.entry, tried, secrets, inputs: own };
    const duplicate = await duplicateOf(found.key, compared, context);
    reviewed.push({
      id: String(index),
      found,
      key,
      ...(title === undefined ? {} : { title }),
      issues: [
        ...found.issues,
        ...riskWarnings(found.entry, context.isStored),
        ...issuesOf(found, key, tried, context.config),
      ],
      secrets,
      inputs: own,
      ...(duplicate === undefined ? {} : { duplicate }),
    });
  }
  return reviewed;
}

/**
 * Warns about parts of an entry that serve its author rather than the user: references to stored secrets, and
 * tools without review.
 */
function riskWarnings(entry: Entry, isStored: ReviewContext['isStored']): readonly EntryIssue[] {
  const text = JSON.stringify(entry);
  const names = [...text.matchAll(/\$\{secret:([\w.-]{1,64})\}/g)]
    .map(([, name = '']) => name)
    .filter(isStored);
  const issues = [...new Set(names)].map(
    (name): EntryIssue => ({
      severity: 'warning',
      path: '',
      message: `this server gets your saved secret ${name}; add it only if you intend that`,
    }),
  );
  const isUnguarded = isRecord(entry.patchbay) && entry.patchbay.guard === 'off';
  const message = 'this entry turns off the review of changed tools';
  return isUnguarded ? [...issues, { severity: 'warning', path: 'patchbay.guard', message }] : issues;
}

/** Returns the display name in the source, or the words of a key that had to be shortened. */
function titleOf({ title, key: written, entry }: FoundServer, key: string): string | undefined {
  const isNamed = /\s/.test(written.trim()) && (!/[/\\:]/.test(written) || isTitle(written));
  const words = isNamed ? written : undefined;
  return titleIn({ patchbay: entry.patchbay, title: title ?? entry.title, name: entry.name ?? words }, key);
}

/** Adds the app's id to the name of a server that is not the first with that name. */
function distinctName({ key, origins = [] }: FoundServer, before: readonly FoundServer[]): string {
  const [origin] = origins;
  const isNamesake = key !== '' && before.some((other) => other.key === key);
  return isNamesake && origin !== undefined ? `${key}-${origin.client}` : key;
}

/** Returns the command line or URL without secrets, for people to recognize. */
export function shownTarget({ found, secrets }: Pick<ReviewedServer, 'found' | 'secrets'>): string {
  const masked = replaceSecrets(
    found.entry,
    secrets.map(({ location: place }) => ({ place, by: '•••' })),
  );
  const { root } = parseText(JSON.stringify(flatEntry(masked)));
  return root === undefined ? '' : displayOf(root);
}

/** Returns the problems of an entry here: its form, and unset variables. */
function issuesOf(
  found: FoundServer,
  key: string,
  tried: Entry,
  config: ReviewContext['config'],
): readonly EntryIssue[] {
  if (isOwnBridge(tried)) {
    return [{ severity: 'error', path: '', message: 'this is Patchbay itself' }];
  }
  // An entry that cannot be run at all, such as a Zed extension's, needs no further validation.
  if (found.issues.some(({ severity, path }) => severity === 'error' && path === '')) return [];
  const { issues } = config.validate(key, JSON.stringify(tried));
  const isKnown = ({ path, message }: EntryIssue) =>
    found.issues.some((one) => one.path === path && (one.message === message || one.severity === 'error'));
  return issues
    .filter(({ path, secret }) => path !== keyStep && secret === undefined)
    .filter((issue) => !isKnown(issue))
    .map(({ severity, path, message }) => ({ severity, path, message }));
}

/** Returns whether it is our own bridge, written by any version of Patchbay. */
export function isOwnBridge({ command, args }: Entry): boolean {
  return [command, ...(Array.isArray(args) ? args : [])].some(
    (word) => typeof word === 'string' && /(?:^|[\\/])patchbay-bridge(?:\.\w+)*$/.test(word),
  );
}

/** Finds a server with the same key, or another one that runs the same. */
async function duplicateOf(
  key: string,
  entry: ComparedServer,
  context: ReviewContext,
): Promise<ReviewedServer['duplicate']> {
  const isSame = await createIsSame(entry, context);
  const { servers } = context.config.state;
  const named = servers.find((server) => server.key === key);
  if (named !== undefined && isSame(named, true)) return { kind: 'key', key, same: true };
  const twin = servers.find((server) => isSame(server, false));
  if (twin !== undefined) return { kind: 'target', key: twin.key };
  return named === undefined ? undefined : { kind: 'key', key, same: false };
}

/** Returns a sample answer for every input, to check the entry as if they were answered. */
function sampleAnswers(inputs: readonly FoundInput[], { url }: Entry): Answers {
  return new Map(
    inputs.map(({ view, tokens }) => {
      const isAddress = typeof url === 'string' && tokens.some(({ text }) => url.startsWith(text));
      const sample = isAddress ? 'https://example.com' : view.kind === 'number' ? '1' : 'value';
      const text = view.default ?? view.options?.[0] ?? sample;
      return [view.id, { kind: 'text', text }];
    }),
  );
}

export function transportOf({ url, type }: Entry): ImportEntry['transport'] {
  if (typeof url !== 'string') return 'stdio';
  return type === 'sse' ? 'sse' : 'http';
}

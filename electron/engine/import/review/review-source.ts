import { isRecord } from '../../../../shared/json.ts';
import type { EntryIssue } from '../../../../shared/model/import/import.ts';
import type { ImportEntry } from '../../../../shared/model/import/import-session.ts';
import { titleIn } from '../../config/entry/configure-server.ts';
import { displayOf } from '../../config/entry/display.ts';
import { type PlainSecret, plainSecretsIn, plainText } from '../../config/entry/plain-secrets.ts';
import { parseText } from '../../config/jsonc/parse.ts';
import { keyStep } from '../../config/validate/issue.ts';
import {
  type Entry,
  type FoundInput,
  type FoundServer,
  type FoundSource,
  withBundleFolder,
} from '../found.ts';
import { type Answers, answerInputs, flatEntry, inputsOf } from '../reference/answer-inputs.ts';
import { type ComparedServer, createIsSame } from './is-same-server.ts';
import { replaceSecrets } from './replace-secrets.ts';
import type { ReviewContext, ReviewedSecret, ReviewedServer } from './reviewed.ts';
import { isTitle, suggestKey } from './suggest-key.ts';

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
      title,
      issues: [
        ...found.issues,
        ...riskWarnings(found.entry, context.isStored),
        ...issuesOf(found, key, tried, context.config),
      ],
      secrets,
      inputs: own,
      duplicate,
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
      message: `this server receives your stored secret ${name}; add it only if you want that`,
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
    secrets.map(({ location }) => ({ place: location, by: '•••' })),
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

/**
 * Assigns names to secrets: equal ones share a name, different ones do not, and no name of another stored
 * secret is used.
 */
function nameSecrets({
  secret,
  isStored,
}: Pick<ReviewContext, 'secret' | 'isStored'>): (entry: Entry, place: PlainSecret) => ReviewedSecret {
  const given = new Map<string, string>();
  const isFree = (name: string, value: string) => {
    const known = given.get(name);
    if (known !== undefined) return known === value;
    return !isStored(name) || secret(name) === value;
  };
  return (entry, place) => {
    const value = valueAt(entry, place);
    const known = [...given].find(([, one]) => one === value)?.[0];
    const name = known ?? firstFree(place.name, (candidate) => isFree(candidate, value));
    given.set(name, value);
    return { id: `${place.path.join('.')}:${place.from}`, location: place, value, secretName: name };
  };
}

function firstFree(name: string, isFree: (name: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (isFree(candidate)) return candidate;
  }
}

function valueAt(entry: Entry, { path, from, to }: PlainSecret): string {
  const found = path.reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? (value as Entry)[step] : undefined),
    entry,
  );
  return typeof found === 'string' ? plainText(found.slice(from, to)) : '';
}

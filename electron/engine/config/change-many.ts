import { isDeepStrictEqual } from 'node:util';
import type { ServerChange } from '../../../shared/model/server-change.ts';
import {
  enabledToolsOf,
  type RemovedServer,
  removeServer,
  restoreServer,
  serverMember,
  serverOptions,
  serverText,
  setServerEnabled,
  setServerOption,
  setServerText,
  setServerToolsEnabled,
} from './edit.ts';
import { requireFreeKey, requireServer, requireUnambiguousServer, throwErrors } from './edit-checks.ts';
import type { ValidText } from './reading.ts';
import { isDisabled } from './validate.ts';

/** Changes that were made together, with the way to undo them. */
export interface AppliedChanges {
  /** The whole text before and after: if nothing else has changed, undo is exact. */
  readonly before: string;
  readonly after: string;
  /** The inverse of each change, in the order they were made. */
  readonly inverses: readonly Inverse[];
}

type Inverse =
  | { readonly kind: 'restore'; readonly removed: RemovedServer }
  | { readonly kind: 'change'; readonly change: Exclude<ServerChange, { kind: 'remove' }> };

/** Makes all changes in one text, or rejects them all. */
export function changeMany(good: ValidText, changes: readonly ServerChange[]): AppliedChanges {
  const before = good.parsed.body;
  const reverses: Inverse[] = [];
  let after = before;
  for (const change of changes) {
    requireChangeable(good, change);
    const reverse = inverseOf(after, change);
    if (reverse === undefined) continue;
    reverses.push(reverse);
    after = reverse.kind === 'restore' ? reverse.removed.after : applyChange(after, change);
  }
  return { before, after, inverses: reverses };
}

/**
 * Undoes changes: exactly if nothing else has changed, else entry by entry, and change by change in entries
 * that were edited since.
 */
export function undoMany(good: ValidText, made: AppliedChanges): string {
  const { body } = good.parsed;
  if (body === made.after) return made.before;
  const exact = new Set<string>();
  return made.inverses.toReversed().reduce((text, reverse) => {
    if (reverse.kind === 'restore') {
      requireFreeKey(reverse.removed.key, new Set(good.servers.map(({ key }) => key)));
      return restoreServer(text, reverse.removed);
    }
    const { key } = reverse.change;
    if (exact.has(key) || serverMember(text, key) === undefined) return text;
    if (serverText(text, key) !== serverText(made.after, key)) return applyChange(text, reverse.change);
    exact.add(key);
    return setServerText(text, key, serverText(made.before, key));
  }, body);
}

function requireChangeable(good: ValidText, change: ServerChange): void {
  if (change.kind === 'remove') return void requireServer(good, change.key);
  const server = requireUnambiguousServer(good, change.key);
  if (change.kind !== 'switch') throwErrors(good.parsed, change.key, server.issues);
}

/** Returns undefined if the change has no effect. */
function inverseOf(body: string, change: ServerChange): Inverse | undefined {
  const { key } = change;
  const member = serverMember(body, key);
  if (member === undefined) return undefined;
  switch (change.kind) {
    case 'remove': {
      const removed = removeServer(body, key);
      return removed && { kind: 'restore', removed };
    }
    case 'switch': {
      if (isDisabled(member.value) !== change.enabled) return undefined;
      return { kind: 'change', change: { ...change, enabled: !change.enabled } };
    }
    case 'tools': {
      const isOn = enabledToolsOf(body, key);
      const names = [...new Set(change.names)].filter((name) => isOn(name) !== change.enabled);
      if (names.length === 0) return undefined;
      return { kind: 'change', change: { ...change, names, enabled: !change.enabled } };
    }
    case 'tags': {
      const tags = serverOptions(body, key).tags ?? [];
      return isDeepStrictEqual(tags, change.tags)
        ? undefined
        : { kind: 'change', change: { ...change, tags } };
    }
    case 'favorite': {
      const favorite = serverOptions(body, key).favorite === true;
      return favorite === change.favorite ? undefined : { kind: 'change', change: { ...change, favorite } };
    }
  }
}

function applyChange(body: string, change: ServerChange): string {
  switch (change.kind) {
    case 'remove':
      return removeServer(body, change.key)?.after ?? body;
    case 'switch':
      return setServerEnabled(body, change.key, change.enabled);
    case 'tools':
      return setServerToolsEnabled(body, change.key, change.names, change.enabled);
    case 'tags':
      return setServerOption(body, change.key, 'tags', change.tags.length === 0 ? undefined : change.tags);
    case 'favorite':
      return setServerOption(body, change.key, 'favorite', change.favorite ? true : undefined);
  }
}

import type { ServerChange } from '../../shared/model/server-change.ts';
import { formatCount } from '../lib/format-amount.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Model } from '../store/model.ts';
import { toolId } from '../store/tool-id.ts';
import { ask } from '../store/view-store.ts';
import {
  addPendingChange,
  dropPendingChange,
  type PendingChangeStore,
  settlePendingChange,
} from '../store/wish-store.ts';
import { closeServer } from './navigate.ts';
import { offerUndo } from './undo-actions.ts';

/** A tool with the state of its switch. */
export interface SwitchedTool {
  readonly serverKey: string;
  readonly name: string;
  readonly enabled: boolean;
}

/** Returns the tools whose switch would change, considering pending changes. */
export function toolsToTurn<T extends SwitchedTool>(
  wishes: ReturnType<PendingChangeStore['getState']>,
  tools: readonly T[],
  enabled: boolean,
): readonly T[] {
  return tools.filter((tool) => (wishes.byId[toolId(tool)]?.enabled ?? tool.enabled) !== enabled);
}

/**
 * Turns tools on or off in one step, after confirmation if several servers are affected; one undo reverts
 * all.
 */
export function turnTools(model: Model, tools: readonly SwitchedTool[], enabled: boolean): void {
  const turned = toolsToTurn(model.pendingToolSwitches.getState(), tools, enabled);
  const byServer = Object.entries(groupBy(turned, ({ serverKey }) => serverKey));
  if (turned.length === 0) return;
  const word = enabled ? 'on' : 'off';
  const count = formatCount(turned.length, 'tool');
  const changes = byServer.map(([key, group]): ServerChange => {
    return { kind: 'tools', key, names: group.map(({ name }) => name), enabled };
  });
  const where = byServer.length === 1 ? byServer[0]?.[0] : formatCount(byServer.length, 'server');
  const turn = () =>
    void changeServers(model, changes, {
      done: `${count} turned ${word} in ${where}.`,
      undone: `${count} restored.`,
    });
  if (byServer.length === 1) {
    turn();
    return;
  }
  ask(model.view, {
    title: `Turn ${word} ${count} in ${where}?`,
    parts: byServer.map(([name, group]) => ({ name, note: formatCount(group.length, 'tool') })),
    yes: `Turn ${word} ${count}`,
    onYes: turn,
  });
}

/** Returns tools by name, with the state of their switches in the window. */
export function switchesOf(
  model: Model,
  tools: readonly Pick<SwitchedTool, 'serverKey' | 'name'>[],
): readonly SwitchedTool[] {
  const mirrored = model.mirrors.tools.getState();
  return tools.map(({ serverKey, name }) => ({
    serverKey,
    name,
    enabled: mirrored[serverKey]?.find((tool) => tool.name === name)?.enabled ?? true,
  }));
}

/**
 * Turns servers on or off in one step, after confirmation unless each was selected by hand; one undo reverts
 * all.
 */
export function turnServers(model: Model, keys: readonly string[], enabled: boolean, isChosen = false): void {
  const { byKey } = model.mirrors.servers.getState();
  const wishes = model.pendingServerSwitches.getState().byId;
  const turned = keys.filter((key) => (wishes[key]?.enabled ?? byKey[key]?.enabled) === !enabled);
  const word = enabled ? 'on' : 'off';
  if (turned.length === 0) {
    model.notify.done(`Already ${word}.`);
    return;
  }
  const what = named(turned);
  const turn = () =>
    void changeServers(
      model,
      turned.map((key) => ({ kind: 'switch', key, enabled })),
      { done: `${what} turned ${word}.`, undone: `${what} restored.` },
    );
  if (turned.length === 1 || isChosen) {
    turn();
    return;
  }
  const rest = formatCount(keys.length - turned.length, 'server');
  ask(model.view, {
    title: `Turn ${word} ${what}?`,
    ...(keys.length > turned.length ? { text: `${rest} already ${word}.` } : {}),
    parts: turned.map((name) => ({ name, note: '' })),
    yes: `Turn ${word} ${what}`,
    onYes: turn,
  });
}

/** Removes servers in one step; one undo restores all of them in place. */
export async function removeServers(model: Model, keys: readonly string[]): Promise<void> {
  const what = named(keys);
  const changes = keys.map((key) => ({ kind: 'remove', key }) as const);
  if (!(await changeServers(model, changes, { done: `${what} removed.`, undone: `${what} restored.` })))
    return;
  const { draft } = model.draft.getState();
  if (draft !== undefined && keys.includes(draft.originalKey)) model.draft.setState({ draft: undefined });
  if (keys.includes(model.view.getState().place.serverKey ?? '')) closeServer(model);
}

/** Restarts the given servers. */
export async function restartServers(model: Model, keys: readonly string[]): Promise<void> {
  const answers = await Promise.all(keys.map((key) => model.link.call('server.restart', { key })));
  const failed = answers.find(({ ok }) => !ok);
  if (failed?.ok === false) model.notify.problem(failed.problem);
  else model.notify.done(`${named(keys)} restarted.`);
}

export function setFavorites(model: Model, keys: readonly string[], favorite: boolean): void {
  const what = named(keys);
  void changeServers(
    model,
    keys.map((key) => ({ kind: 'favorite', key, favorite })),
    {
      done: favorite ? `${what} added to favorites.` : `${what} removed from favorites.`,
      undone: `${what} restored.`,
    },
  );
}

/** Sets the tags of servers. */
export async function setTags(
  model: Model,
  tags: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const keys = Object.keys(tags);
  const changes = keys.map((key): ServerChange => ({ kind: 'tags', key, tags: [...(tags[key] ?? [])] }));
  const what = named(keys);
  await changeServers(model, changes, {
    done: `Tags of ${what} saved.`,
    undone: `Tags of ${what} restored.`,
  });
}

function named(keys: readonly string[]): string {
  const [only] = keys;
  return keys.length === 1 && only !== undefined ? only : formatCount(keys.length, 'server');
}

/** Waits until the window knows the servers, because the tray's command may arrive earlier. */
export function turnAllServers(model: Model, enabled: boolean): void {
  const turn = () => turnServers(model, model.mirrors.servers.getState().order, enabled);
  if (model.linkState.getState().state.kind === 'ready') {
    turn();
    return;
  }
  const stop = model.linkState.subscribe(({ state }) => {
    if (state.kind !== 'ready') return;
    stop();
    turn();
  });
}

/** Makes changes in one step and offers to undo all of them. */
async function changeServers(
  model: Model,
  changes: readonly ServerChange[],
  words: { readonly done: string; readonly undone: string },
): Promise<boolean> {
  const answer = await withPendingChanges(model, changes, () =>
    model.link.call('server.change', { changes: [...changes] }),
  );
  if (answer.ok) {
    const { undoId } = answer.value;
    offerUndo(model, undoId, words.done, () => void undoChange(model, undoId, words.undone));
  } else model.notify.problem(answer.problem);
  return answer.ok;
}

async function undoChange(model: Model, undoId: string, undone: string): Promise<void> {
  const answer = await model.link.call('server.undoChange', { undoId });
  if (answer.ok) model.notify.done(undone);
  else model.notify.problem(answer.problem);
}

/** Moves the switches at once; they move back if the change is refused. */
async function withPendingChanges<T extends { readonly ok: boolean }>(
  model: Model,
  changes: readonly ServerChange[],
  call: () => Promise<T>,
): Promise<T> {
  const wishes = changes.flatMap((change) => pendingSwitchesOf(model, change));
  const tickets = wishes.map(({ store, ids, enabled }) => addPendingChange(store, ids, enabled));
  const answer = await call();
  for (const [index, { store, ids, mirrored }] of wishes.entries()) {
    const ticket = tickets[index] ?? 0;
    if (answer.ok) settlePendingChange(store, ids, ticket, mirrored);
    else dropPendingChange(store, ids, ticket);
  }
  return answer;
}

interface PendingSwitch {
  readonly store: PendingChangeStore;
  readonly ids: readonly string[];
  readonly enabled: boolean;
  readonly mirrored: (id: string) => boolean | undefined;
}

function pendingSwitchesOf(model: Model, change: ServerChange): readonly PendingSwitch[] {
  const { key } = change;
  switch (change.kind) {
    case 'switch': {
      const mirrored = () => model.mirrors.servers.getState().byKey[key]?.enabled;
      return [{ store: model.pendingServerSwitches, ids: [key], enabled: change.enabled, mirrored }];
    }
    case 'tools': {
      const ids = change.names.map((name) => toolId({ serverKey: key, name }));
      const mirrored = (id: string) =>
        model.mirrors.tools.getState()[key]?.find((tool) => toolId(tool) === id)?.enabled;
      return [{ store: model.pendingToolSwitches, ids, enabled: change.enabled, mirrored }];
    }
    default:
      return [];
  }
}

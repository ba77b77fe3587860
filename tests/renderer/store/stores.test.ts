import { describe, expect, it } from 'vitest';
import { createDraftStore, editDraft, hasErrors, isDirty } from '../../../renderer/store/draft-store.ts';
import { groupTools, mergeServers } from '../../../renderer/store/mirror-store.ts';
import {
  addPendingChange,
  createPendingChangeStore,
  dropPendingChange,
  removeSettledChanges,
  settlePendingChange,
} from '../../../renderer/store/pending-change-store.ts';
import { createTicker } from '../../../renderer/store/ticker.ts';
import { createUndoStore, pushUndo, takeUndo } from '../../../renderer/store/undo-store.ts';
import { describeClients, describeHub, describeServer } from '../../../shared/model/activity/status-event.ts';
import type { HubView } from '../../../shared/model/hub/hub.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { aClient, aServer, aTool } from '../helper/sample-views.ts';
import { refused } from '../helper/test-model.ts';

describe('the mirror of servers', () => {
  it('replaces what changed, keeps the rest as the same objects, and forgets what is gone', () => {
    const [a, b, c] = [aServer('a'), aServer('b'), aServer('c')];
    const before = { byKey: { a, b, c }, order: ['a', 'b', 'c'] };
    const changed = aServer('b', { status: 'error' });
    const after = mergeServers(before, { servers: [changed], order: ['b', 'a'] });
    expect(after.order).toEqual(['b', 'a']);
    expect(after.byKey.a).toBe(a);
    expect(after.byKey.b).toBe(changed);
    expect(after.byKey.c).toBeUndefined();
  });

  it('groups tools by their server', () => {
    expect(Object.keys(groupTools([aTool('x', '1'), aTool('y', '2'), aTool('x', '3')]))).toEqual(['x', 'y']);
  });
});

describe('pending switch changes', () => {
  it('are shown until the state that follows the answer', () => {
    const store = createPendingChangeStore();
    const ticket = addPendingChange(store, ['a'], false);
    removeSettledChanges(store, ['a']);
    expect(store.getState().byId.a?.enabled).toBe(false);
    settlePendingChange(store, ['a'], ticket, () => true);
    expect(store.getState().byId.a?.enabled).toBe(false);
    removeSettledChanges(store, ['a']);
    expect(store.getState().byId.a).toBeUndefined();
  });

  it('end with the answer if the state has already arrived', () => {
    const store = createPendingChangeStore();
    settlePendingChange(store, ['a'], addPendingChange(store, ['a'], true), () => true);
    expect(store.getState().byId).toEqual({});
  });

  it('of older calls do not undo newer ones', () => {
    const store = createPendingChangeStore();
    const older = addPendingChange(store, ['a', 'b'], false);
    addPendingChange(store, ['a'], true);
    dropPendingChange(store, ['a', 'b'], older);
    expect(store.getState().byId.a?.enabled).toBe(true);
    expect(store.getState().byId.b).toBeUndefined();
  });
});

describe('activity', () => {
  it('describes what a server did, and nothing if only numbers changed', () => {
    const server = aServer('a');
    expect(describeServer(server, { ...server, counts: { ...server.counts, tools: 3 } })).toEqual([]);
    expect(describeServer(undefined, server)[0]?.text).toBe('Added');
    expect(describeServer(server, aServer('a', { status: 'connecting', restarts: 1 }))[0]?.text).toBe(
      'Restarting, attempt 1',
    );
    expect(describeServer(aServer('a', { status: 'connecting' }), server)[0]).toMatchObject({
      text: 'Connected',
      tone: 'good',
    });
    const problem = { code: 'server.crashed', sentence: 'It crashed.', fix: '', evidence: [] } as const;
    expect(describeServer(server, aServer('a', { status: 'error', problem }))[0]).toMatchObject({
      text: 'It crashed.',
      tone: 'bad',
    });
  });

  it('[PB-DEMAND-1] describes that a server fell asleep, the memory saved, and that it woke', () => {
    const asleep = aServer('a', { status: 'disconnected', asleep: { since: 0, memorySaved: 88_080_384 } });
    expect(describeServer(aServer('a'), asleep)[0]).toMatchObject({
      text: 'Fell asleep, 84 MB saved',
      tone: 'quiet',
    });
    expect(describeServer(asleep, aServer('a', { status: 'connecting' }))[0]?.text).toBe('Connecting');
  });

  it('[PB-CFG-1] describes the outcome of a new config beside the old one, once', () => {
    const told = (before: ServerView['update'], update: ServerView['update']) =>
      describeServer(withUpdate(before), withUpdate(update)).map(({ text }) => text);
    const withUpdate = (update: ServerView['update']) => aServer('a', update === undefined ? {} : { update });
    const difference = { added: ['x'], removed: [], changed: [] };
    const starting = { kind: 'starting', since: 0 } as const;
    const done = { kind: 'done', at: 1, difference, draining: true } as const;
    expect(told(undefined, starting)).toEqual(['Starting with the new config']);
    expect(told(starting, done)).toEqual(['New config in use: 1 tool added']);
    expect(told(done, { ...done, draining: false })).toEqual([]);
    expect(told(starting, { kind: 'failed', at: 1, problem: refused.problem })).toEqual([
      'New config failed: The file cannot be written.',
    ]);
    expect(told(done, undefined)).toEqual([]);
  });

  it('describes clients that connected, disconnected or have an outdated list', () => {
    const stateless = { via: 'http', era: 'modern' } as const;
    const before = [
      aClient('1'),
      aClient('2', { name: 'cursor-vscode' }),
      aClient('5', { name: 'gone', ...stateless }),
    ];
    const after = [
      aClient('1', { stale: true }),
      aClient('3', { name: '' }),
      aClient('4', { name: 'x', via: 'http' }),
      aClient('6', { name: 'new', ...stateless }),
    ];
    expect(describeClients(before, after).map(({ subject, text }) => `${subject}: ${text}`)).toEqual([
      'Claude Desktop: Tool list out of date',
      'x: Connected over HTTP',
      'new: Active over HTTP',
      'Cursor: Disconnected',
      'gone: No longer active',
    ]);
  });

  it('describes problems of the hub that appeared and were solved', () => {
    const hub: HubView = {
      version: '1',
      pid: 1,
      startedAt: 0,
      dataDir: '',
      configFile: '',
      revision: 1,
      problems: [],
    };
    const broken = {
      ...hub,
      problems: [{ code: 'hub.port_in_use', sentence: 'Taken.', fix: '', evidence: [] }],
    } satisfies HubView;
    expect(describeHub(hub, broken)[0]).toMatchObject({ text: 'Taken.', tone: 'bad' });
    expect(describeHub(broken, broken)).toEqual([]);
    expect(describeHub(broken, hub)[0]).toMatchObject({ text: 'Solved: Taken.', tone: 'good' });
  });
});

describe('a config draft', () => {
  const draft = { originalKey: 'a', key: 'a', savedText: '{}', text: '{}', issues: [] };

  it('is dirty when its text or its name differs', () => {
    expect(isDirty(undefined)).toBe(false);
    expect(isDirty(draft)).toBe(false);
    expect(isDirty({ ...draft, text: '{ }' })).toBe(true);
    expect(isDirty({ ...draft, key: 'b' })).toBe(true);
  });

  it('is not changed by what belongs to another server', () => {
    const store = createDraftStore();
    store.setState({ draft });
    editDraft(store, 'other', { text: 'x' });
    expect(store.getState().draft).toBe(draft);
    editDraft(store, 'a', { issues: [{ severity: 'warning', path: '', message: '' }] });
    expect(hasErrors(store.getState().draft ?? draft)).toBe(false);
  });
});

describe('what can be undone', () => {
  it('is undone newest first, or by id, each once', () => {
    const store = createUndoStore();
    for (const key of ['a', 'b', 'c']) pushUndo(store, { id: key, undo: () => {} });
    expect(takeUndo(store)?.id).toBe('c');
    expect(takeUndo(store, 'a')?.id).toBe('a');
    expect(takeUndo(store, 'a')).toBeUndefined();
    expect(takeUndo(store)?.id).toBe('b');
    expect(takeUndo(store)).toBeUndefined();
  });
});

describe('the ticker of relative times', () => {
  it('runs only while somebody listens and the page is visible', () => {
    const page = { visible: true, running: 0, now: 1, changed: () => {}, tick: () => {} };
    const ticker = createTicker({
      now: () => page.now,
      isVisible: () => page.visible,
      onVisibility: (listener) => {
        page.changed = listener;
        return () => {};
      },
      every: (_milliseconds, run) => {
        page.running += 1;
        page.tick = run;
        return () => {
          page.running -= 1;
        };
      },
    });
    expect(page.running).toBe(0);
    const stop = ticker.subscribe(() => {});
    const stopOther = ticker.subscribe(() => {});
    expect(page.running).toBe(1);
    page.now = 2;
    page.tick();
    expect(ticker.now()).toBe(2);
    page.visible = false;
    page.changed();
    expect(page.running).toBe(0);
    page.visible = true;
    page.changed();
    expect(page.running).toBe(1);
    stop();
    stopOther();
    expect(page.running).toBe(0);
  });
});

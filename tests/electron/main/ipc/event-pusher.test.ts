import { describe, expect, it } from 'vitest';
import { createDispatcher, type ShellHandlers } from '../../../../electron/main/ipc/dispatcher.ts';
import { maxActivityRowsPerPush, maxLogLinesPerPush } from '../../../../electron/main/ipc/event-batch.ts';
import { EventPusher } from '../../../../electron/main/ipc/event-pusher.ts';
import type { LogLine } from '../../../../shared/model/server.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { FakeHub } from '../../../helper/fake-hub.ts';
import { clientView, hubView, serverView } from '../../../helper/views.ts';

function bench() {
  const clock = new FakeClock();
  const sent: [string, unknown][] = [];
  const pusher = new EventPusher({
    send: (name, payload) => void sent.push([name, payload]),
    after: (milliseconds, action) => clock.after(milliseconds, action),
  });
  return { clock, sent, pusher };
}

function changed(pusher: EventPusher, key: string, restarts: number, order: readonly string[]): void {
  pusher.push({ name: 'servers.changed', payload: { servers: [serverView(key, { restarts })], order } });
}

const line = (seq: number): LogLine => ({ seq, at: 1, stream: 'stderr', text: `line ${seq}` });

describe('pushed events', () => {
  it('[PB-IPC-1] of a server in a crash loop are merged into one with its last state', async () => {
    const { clock, sent, pusher } = bench();
    pusher.attach();
    for (let restarts = 0; restarts < 1000; restarts += 1) changed(pusher, 'a', restarts, ['a', 'b']);
    changed(pusher, 'b', 1, ['a', 'b']);
    expect(sent).toEqual([]);
    await clock.advance(50);
    const servers = [serverView('a', { restarts: 999 }), serverView('b', { restarts: 1 })];
    expect(sent).toEqual([['servers.changed', { servers, order: ['a', 'b'] }]]);
  });

  it('[PB-IPC-1] omit a server that has been removed meanwhile', async () => {
    const { clock, sent, pusher } = bench();
    pusher.attach();
    changed(pusher, 'a', 1, ['a', 'b']);
    changed(pusher, 'b', 1, ['b']);
    await clock.advance(50);
    expect(sent).toEqual([
      ['servers.changed', { servers: [serverView('b', { restarts: 1 })], order: ['b'] }],
    ]);
  });

  it('[PB-IPC-1] go before the answer of a call: a switch never shows an older state after it', async () => {
    const { clock, sent, pusher } = bench();
    pusher.attach();
    const hub = new FakeHub();
    hub.outcome = async () => changed(pusher, 'a', 2, ['a']);
    const dispatch = createDispatcher<string>({
      handlers: {} as ShellHandlers,
      hub: () => hub,
      isTrusted: () => true,
      hubSettled: async () => false,
      beforeAnswer: () => pusher.flush(),
      checkOutput: false,
      onUnexpected: () => {},
    });
    changed(pusher, 'a', 1, ['a']);
    await dispatch('window', 'server.setEnabled', { key: 'a', enabled: false });
    const newest = ['servers.changed', { servers: [serverView('a', { restarts: 2 })], order: ['a'] }];
    expect(sent).toEqual([newest]);
    await clock.advance(1000);
    expect(sent).toEqual([newest]);
  });

  it('[PB-IPC-1] of activity are limited per push, and count the omitted rows', async () => {
    const { clock, sent, pusher } = bench();
    pusher.attach();
    const row = { at: 1, kind: 'call', outcome: 'ok' } as const;
    const rows = Array.from({ length: 200 }, (_, index) => ({ ...row, id: index }));
    for (const skipped of [0, 5, 0]) pusher.push({ name: 'activity.added', payload: { rows, skipped } });
    await clock.advance(50);
    const [[name, payload] = []] = sent;
    expect(name).toBe('activity.added');
    expect(payload).toMatchObject({ skipped: 3 * 200 - maxActivityRowsPerPush + 5 });
    expect(payload).toHaveProperty('rows.length', maxActivityRowsPerPush);
  });

  it('[PB-IPC-1] carry the latest complete state, and the tools of each server', async () => {
    const { clock, sent, pusher } = bench();
    pusher.attach();
    pusher.push({ name: 'hub.changed', payload: hubView({ revision: 1 }) });
    pusher.push({ name: 'hub.changed', payload: hubView({ revision: 2 }) });
    pusher.push({ name: 'clients.changed', payload: { clients: [clientView('x')] } });
    pusher.push({ name: 'tools.changed', payload: { tools: { a: [] } } });
    pusher.push({ name: 'tools.changed', payload: { tools: { b: [] } } });
    await clock.advance(50);
    expect(sent).toEqual([
      ['tools.changed', { tools: { a: [], b: [] } }],
      ['hub.changed', hubView({ revision: 2 })],
      ['clients.changed', { clients: [clientView('x')] }],
    ]);
  });

  it('[PB-IPC-1] carry a limited number of log lines, the newest', async () => {
    const { clock, sent, pusher } = bench();
    pusher.attach();
    for (let seq = 1; seq <= 3 * maxLogLinesPerPush; seq += 1) {
      pusher.push({ name: 'server.log', payload: { key: 'a', lines: [line(seq)] } });
    }
    pusher.push({ name: 'server.log', payload: { key: 'b', lines: [line(1)] } });
    await clock.advance(50);
    expect(sent).toHaveLength(2);
    const [, flood] = sent[0] ?? [];
    expect(flood).toMatchObject({ key: 'a', lines: { length: maxLogLinesPerPush } });
    expect((flood as { lines: LogLine[] }).lines.at(-1)).toEqual(line(3 * maxLogLinesPerPush));
  });

  it('[PB-IPC-1] are dropped while no page holds the state', async () => {
    const { clock, sent, pusher } = bench();
    changed(pusher, 'a', 1, ['a']);
    pusher.attach();
    changed(pusher, 'a', 2, ['a']);
    pusher.detach();
    await clock.advance(1000);
    expect(sent).toEqual([]);
    expect(clock.pending).toBe(0);
  });
});

describe('a command for the window', () => {
  it('[PB-APP-1] waits until the page has loaded', () => {
    const { sent, pusher } = bench();
    pusher.run({ kind: 'add-server' });
    pusher.run({ kind: 'open-server', key: 'a' });
    expect(sent).toEqual([]);
    pusher.attach();
    pusher.attach();
    expect(sent).toEqual([
      ['command.run', { kind: 'add-server' }],
      ['command.run', { kind: 'open-server', key: 'a' }],
    ]);
  });

  it('[PB-APP-1] comes after the changes before it', () => {
    const { sent, pusher } = bench();
    pusher.attach();
    changed(pusher, 'a', 1, ['a']);
    pusher.run({ kind: 'open-server', key: 'a' });
    expect(sent.map(([name]) => name)).toEqual(['servers.changed', 'command.run']);
  });
});

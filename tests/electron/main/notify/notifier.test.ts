import { describe, expect, it } from 'vitest';
import { type AttentionInput, attentionItems } from '../../../../electron/main/attention/attention-item.ts';
import type { NotificationContent } from '../../../../electron/main/notify/notification-content.ts';
import {
  absentMs,
  type NotifiedVersions,
  settleMs,
} from '../../../../electron/main/notify/notified-items.ts';
import { Notifier } from '../../../../electron/main/notify/notifier.ts';
import { openItems } from '../../../../electron/main/notify/open-items.ts';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import { type Settings, settingsSchema } from '../../../../shared/schema/settings.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { connectClient, hubView, serverView, someProblem } from '../../../helper/views.ts';

interface Bench {
  readonly known?: NotifiedVersions;
  readonly settings?: Partial<Settings>;
}

function bench({ known = {}, settings = {} }: Bench = {}) {
  const clock = new FakeClock();
  const screen: NotificationContent[] = [];
  const ever: NotificationContent[] = [];
  const kept: NotifiedVersions[] = [];
  const nothing: AttentionInput = {
    hub: hubView(),
    servers: [],
    connect: [],
    approvals: [],
    update: { kind: 'current' },
  };
  const state = { watched: false, input: nothing };
  const notifier = new Notifier({
    now: () => clock.now(),
    after: (milliseconds, action) => clock.after(milliseconds, action),
    items: () => attentionItems(state.input),
    isOpen: (id) => openItems(state.input)(id),
    settings: () => settingsSchema.parse(settings),
    watched: () => state.watched,
    show(note) {
      screen.push(note);
      ever.push(note);
      return { dispose: () => void screen.splice(screen.indexOf(note), 1) };
    },
    known,
    save: (told) => void kept.push(told),
  });
  const servers = async (...list: readonly ServerView[]) => {
    state.input = { ...state.input, servers: list };
    notifier.update();
    await clock.advance(0);
  };
  return {
    clock,
    kept,
    state,
    servers,
    notifier,
    screen: () => screen.map(({ title }) => title),
    ever: () => ever.map(({ title }) => title),
    note: (index: number) => ever[index],
  };
}

const failed = (key: string) => serverView(key, { status: 'error', problem: someProblem('server.crashed') });
const signIn = (key: string) =>
  serverView(key, { status: 'needs-auth', auth: { signedIn: false, pending: false } });

describe('a notification', () => {
  it('[PB-APP-1] says what to do and why, and a click does it if that disables nothing', async () => {
    const { clock, servers, note } = bench();
    await servers(
      signIn('gh'),
      failed('fs'),
      serverView('loop', { status: 'error', problem: someProblem('server.loop') }),
    );
    await clock.advance(settleMs);
    expect(note(0)).toMatchObject({ title: 'Sign in to gh', actions: [{ kind: 'sign-in', key: 'gh' }] });
    expect(note(1)).toEqual({
      title: 'Try fs now',
      body: 'A sentence about server.crashed.',
      actions: [
        { kind: 'open-server', key: 'fs' },
        { kind: 'run', operation: 'server.restart', input: { key: 'fs' } },
      ],
    });
    expect(note(2)).toMatchObject({
      title: 'Turn off loop',
      actions: [{ kind: 'open-server', key: 'loop' }],
    });
  });

  it('[PB-APP-1] is shown for a newer version, and for a failed update', async () => {
    const { clock, state, notifier, ever } = bench();
    const offer = { version: '2.0.0' };
    state.input = { ...state.input, update: { kind: 'available', offer } };
    notifier.update();
    await clock.advance(settleMs);
    state.input = { ...state.input, update: { kind: 'failed', problem: someProblem('app.update_failed') } };
    notifier.update();
    await clock.advance(settleMs);
    state.input = {
      ...state.input,
      update: { kind: 'failed', problem: someProblem('app.update_unreachable') },
    };
    notifier.update();
    await clock.advance(settleMs);
    expect(ever()).toEqual(['Update Patchbay to 2.0.0', 'See why Patchbay could not be updated']);
  });

  it('[PB-APP-1] is shown for quarantined tools and a wiped config, too', async () => {
    const { clock, state, notifier, note } = bench();
    state.input = {
      ...state.input,
      servers: [serverView('gh', { heldTools: { waiting: 2, blocked: 0 } })],
      connect: [connectClient('cursor', { title: 'Cursor', status: 'wiped' })],
    };
    notifier.update();
    await clock.advance(settleMs);
    expect(note(0)).toMatchObject({
      title: 'Review 2 changed tools of gh',
      actions: [{ kind: 'review-tools', key: 'gh' }],
    });
    expect(note(1)).toMatchObject({
      title: 'Restore Cursor',
      actions: [{ kind: 'connect-client', id: 'cursor' }],
    });
  });

  it('[PB-APP-1] is not shown for short-lived or degraded states', async () => {
    const { clock, servers, ever } = bench();
    await servers(failed('a'), serverView('b', { status: 'degraded' }));
    await clock.advance(settleMs - 1);
    await servers(serverView('a'), serverView('b', { status: 'degraded' }));
    await clock.advance(absentMs);
    expect(ever()).toEqual([]);
  });

  it('[PB-APP-1] is dismissed when its subject is solved', async () => {
    const { clock, servers, screen } = bench();
    await servers(failed('a'));
    await clock.advance(settleMs);
    await servers(serverView('a', { status: 'connecting' }));
    expect(screen()).toEqual(['Try a now']);
    await servers(serverView('a'));
    expect(screen()).toEqual([]);
  });
});

describe('an attention item', () => {
  it('[PB-APP-1] is reported once until it changes, however often its server fails meanwhile', async () => {
    const { clock, servers, ever } = bench();
    for (let round = 0; round < 20; round += 1) {
      await servers(failed('a'));
      await clock.advance(settleMs);
      await servers(serverView('a', { status: 'connecting' }));
      await servers(serverView('a'));
      await clock.advance(absentMs / 2);
    }
    expect(ever()).toEqual(['Try a now']);
    await servers(serverView('a', { status: 'error', problem: someProblem('server.command_not_found') }));
    await clock.advance(settleMs);
    expect(ever()).toEqual(['Try a now', 'Open a to fix']);
  });

  it('[PB-APP-1] is reported again after it has been absent for a while', async () => {
    const { clock, servers, ever } = bench();
    await servers(failed('a'));
    await clock.advance(settleMs);
    await servers(serverView('a'));
    await clock.advance(absentMs * 2);
    await servers(failed('a'));
    await clock.advance(settleMs);
    expect(ever()).toEqual(['Try a now', 'Try a now']);
  });

  it('[PB-APP-1] is not reported at the start if it was known before, even if its state is unknown for long', async () => {
    const first = bench();
    await first.servers(failed('a'));
    await first.clock.advance(settleMs);
    const known = first.kept.at(-1) ?? {};
    expect(Object.keys(known)).toEqual(['server:a']);

    const second = bench({ known });
    await second.servers(serverView('a', { status: 'connecting' }));
    await second.clock.advance(absentMs * 2);
    await second.servers(failed('a'), failed('b'));
    await second.clock.advance(settleMs);
    expect(second.ever()).toEqual(['Try b now']);
  });

  it('[PB-APP-1] counts as seen while the window has the focus, and is skipped if its setting is off', async () => {
    const { clock, servers, state, ever } = bench({ settings: { notifySignIn: false } });
    state.watched = true;
    await servers(failed('a'));
    await clock.advance(settleMs);
    state.watched = false;
    await servers(failed('a'), signIn('gh'));
    await clock.advance(absentMs);
    expect(ever()).toEqual([]);
  });
});

describe('many items at once', () => {
  it('[PB-APP-1] are shown as one notification, and later ones join it after a while', async () => {
    const { clock, servers, screen, ever, note } = bench();
    const keys = ['a', 'b', 'c', 'd', 'e'];
    await servers(...keys.map(failed));
    await clock.advance(settleMs);
    expect(screen()).toEqual(['5 items need your attention']);
    expect(note(0)).toEqual({
      title: '5 items need your attention',
      body: 'Try a now, Try b now, Try c now, and 2 more',
      actions: [{ kind: 'command', id: 'open-servers' }],
    });
    await servers(...keys.map(failed), failed('f'), failed('g'));
    await clock.advance(settleMs * 2);
    expect(ever()).toHaveLength(1);
    await clock.advance(30_000);
    expect(screen()).toEqual(['7 items need your attention']);
    await servers(...keys.map((key) => serverView(key)), serverView('f'), serverView('g'));
    expect(screen()).toEqual([]);
  });

  it('[PB-APP-1] in quick succession become one notification, which replaces the single ones', async () => {
    const { clock, servers, screen } = bench();
    const failing: ServerView[] = [];
    for (const key of ['a', 'b', 'c', 'd']) {
      failing.push(failed(key));
      await servers(...failing);
      await clock.advance(settleMs);
    }
    expect(screen()).toEqual(['4 items need your attention']);
  });
});

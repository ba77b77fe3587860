import { EventEmitter } from 'node:events';
import type { Menu, MenuItemConstructorOptions, NativeImage, Tray } from 'electron';
import { describe, expect, it } from 'vitest';
import { TrayAdapter } from '../../../../electron/main/tray/adapter.ts';
import { trayModel } from '../../../../electron/main/tray/tray-model.ts';
import type { TrayAction, TrayInput } from '../../../../electron/main/tray/tray-types.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { hubView, serverView } from '../../../helper/views.ts';

/** Records what is drawn, as Electron's Tray would show it. */
class FakeTray extends EventEmitter {
  readonly menus: FakeMenu[] = [];
  readonly images: string[] = [];
  destroyed = false;
  constructor(image: string) {
    super();
    this.images.push(image);
  }
  setImage = (image: string) => void this.images.push(image);
  setToolTip = () => {};
  setContextMenu = (menu: FakeMenu) => void this.menus.push(menu);
  isDestroyed = () => this.destroyed;
  destroy = () => {
    this.destroyed = true;
  };
}

class FakeMenu extends EventEmitter {
  readonly template: MenuItemConstructorOptions[];
  constructor(template: MenuItemConstructorOptions[]) {
    super();
    this.template = template;
  }
  label = (id: string) => this.template.find((item) => item.id === id)?.label;
  click(id: string): void {
    const item = this.template.find((each) => each.id === id);
    // Our template's handler takes no arguments.
    (item?.click as (() => void) | undefined)?.();
  }
}

function bench() {
  const clock = new FakeClock();
  const trays: FakeTray[] = [];
  const actions: TrayAction[] = [];
  const input = {
    hub: hubView(),
    phase: 'running',
    servers: [serverView('a')],
    clients: [],
    connect: [],
    approvals: [],
    update: { kind: 'current' },
    profiles: { profiles: [], clients: {} },
  } as const;
  const state: { input: TrayInput } = { input };
  const adapter = new TrayAdapter({
    // The fakes have everything that the adapter uses.
    createTray: (icon) => {
      const tray = new FakeTray(icon as unknown as string);
      trays.push(tray);
      return tray as unknown as Tray;
    },
    buildMenu: (template) => new FakeMenu(template) as unknown as Menu,
    icon: (name) => name as unknown as NativeImage,
    after: (milliseconds, action) => clock.after(milliseconds, action),
    model: () => trayModel(state.input),
    act: async (action) => void actions.push(action),
    onClick: () => {},
  });
  const change = (changes: Partial<TrayInput>) => {
    state.input = { ...state.input, ...changes };
    adapter.update();
  };
  return { adapter, clock, trays, actions, change };
}

describe('the tray', () => {
  it('[PB-TRAY-1] draws a burst of changes once', async () => {
    const { adapter, clock, trays, change } = bench();
    adapter.create();
    for (let restarts = 0; restarts < 100; restarts += 1) {
      change({ servers: [serverView('a', { status: restarts % 2 ? 'connecting' : 'error' })] });
    }
    await clock.advance(1_000);
    expect(trays[0]?.menus).toHaveLength(2);
  });

  it('[PB-TRAY-1] is not redrawn if nothing that it shows has changed', async () => {
    const { adapter, clock, trays, change } = bench();
    adapter.create();
    change({ servers: [serverView('a', { restarts: 7, pid: 99 })] });
    await clock.advance(1_000);
    expect(trays[0]?.menus).toHaveLength(1);
  });

  it('[PB-TRAY-1] changes its icon with the state', async () => {
    const { adapter, clock, trays, change } = bench();
    adapter.create();
    change({ phase: 'failed' });
    await clock.advance(1_000);
    change({ phase: 'failed', servers: [] });
    await clock.advance(1_000);
    expect(trays[0]?.images).toEqual(['ok', 'error']);
  });

  it('[PB-TRAY-1] does not change under an open menu, and catches up when it closes', async () => {
    const { adapter, clock, trays, change } = bench();
    adapter.create();
    trays[0]?.menus[0]?.emit('menu-will-show');
    change({ servers: [] });
    await clock.advance(5_000);
    expect(trays[0]?.menus).toHaveLength(1);
    trays[0]?.menus[0]?.emit('menu-will-close');
    await clock.advance(1_000);
    expect(trays[0]?.menus).toHaveLength(2);
  });

  it('[PB-TRAY-1] does not wait forever if the system never reports that the menu closed', async () => {
    const { adapter, clock, trays, change } = bench();
    adapter.create();
    trays[0]?.menus[0]?.emit('menu-will-show');
    change({ servers: [] });
    await clock.advance(60_000);
    expect(trays[0]?.menus).toHaveLength(2);
  });

  it('[PB-TRAY-1] acts on a click and redraws, since the click has already flipped the check mark', async () => {
    const { adapter, clock, trays, actions } = bench();
    adapter.create();
    trays[0]?.menus[0]?.click('server:a');
    await clock.advance(0);
    expect(actions).toEqual([
      { kind: 'run', operation: 'server.setEnabled', input: { key: 'a', enabled: false } },
    ]);
    expect(trays[0]?.menus).toHaveLength(2);
  });

  it('[PB-TRAY-1] shows an ampersand as one', () => {
    const { adapter, trays, change } = bench();
    change({ servers: [serverView('R&D')] });
    adapter.create();
    expect(trays[0]?.menus[0]?.label('server:R&D')).toBe('R&&D');
  });

  it('[PB-TRAY-1] comes back when the system has destroyed it', async () => {
    const { adapter, clock, trays, change } = bench();
    adapter.create();
    trays[0]?.destroy();
    change({ servers: [] });
    await clock.advance(1_000);
    expect(trays).toHaveLength(2);
    expect(trays[1]?.menus).toHaveLength(1);
  });

  it('[PB-TRAY-1] is removed when disposed, with no timers left', async () => {
    const { adapter, clock, trays, change } = bench();
    adapter.create();
    change({ servers: [] });
    adapter.dispose();
    adapter.dispose();
    expect(trays[0]?.destroyed).toBe(true);
    expect(clock.pending).toBe(0);
  });
});

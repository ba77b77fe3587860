import { Menu, nativeImage, Tray } from 'electron';
import type { Hub } from '../../engine/engine.ts';
import type { HubLifecycle } from '../lifecycle/hub-lifecycle.ts';
import { after, type Disposable, disposeAll } from '../port/disposable.ts';
import { TrayAdapter } from './adapter.ts';
import { certainTrayHost, type TrayHost, watchTrayHost } from './tray-host.ts';
import { trayIconFile } from './tray-icon.ts';
import { trayModel } from './tray-model.ts';
import type { TrayAction, TrayInput } from './tray-types.ts';

export interface TrayOptions {
  readonly hub: Pick<HubLifecycle, 'running' | 'onRunning'>;
  readonly icons: string;
  readonly input: () => TrayInput;
  readonly act: (action: TrayAction) => Promise<void>;
  readonly onClick: () => void;
  readonly onError: (error: unknown) => void;
}

export interface RunningTray extends Disposable {
  /** True if the user can see the icon. */
  readonly visible: boolean;
  update(): void;
}

/** Shows the tray and keeps it up to date. */
export async function startTray(options: TrayOptions): Promise<RunningTray> {
  const { hub, icons, input, act, onClick, onError } = options;
  const adapter = new TrayAdapter({
    createTray: (icon) => new Tray(icon),
    buildMenu: (template) => Menu.buildFromTemplate(template),
    icon: (state) => nativeImage.createFromPath(trayIconFile(icons, state, process.platform)),
    after,
    model: () => trayModel(input()),
    act,
    onClick,
  });
  const host = await findHost(() => adapter.create(), onError);
  // Created even without a host: an older panel may still show it.
  adapter.create();
  const update = () => adapter.update();
  const feeds: Disposable[] = [host, adapter];
  const follow = ({ events }: Pick<Hub, 'events'>) =>
    feeds.push(...changes.map((name) => events[name](update as () => void)));
  hub.onRunning(follow);
  if (hub.running !== undefined) follow(hub.running);
  return {
    get visible() {
      return host.present;
    },
    update,
    dispose: () => disposeAll(feeds).dispose(),
  };
}

const changes = [
  'hub.changed',
  'servers.changed',
  'clients.changed',
  'profiles.changed',
  'connect.changed',
  'approvals.changed',
] as const;

function findHost(onAppear: () => void, onError: (error: unknown) => void): Promise<TrayHost> {
  if (process.platform !== 'linux') return Promise.resolve(certainTrayHost);
  return watchTrayHost({ address: process.env.DBUS_SESSION_BUS_ADDRESS, onAppear, onError });
}

import type { ConnectClient } from '../../../shared/model/connect.ts';
import type { HubLifecycle } from '../lifecycle/hub-run.ts';
import type { Disposable } from '../port/disposable.ts';

/** Keeps the last reported list of clients and their configs. */
export interface ConfigWatch extends Disposable {
  readonly current: readonly ConnectClient[];
}

/** Starts before the hub does, which sends the first list once it has looked at the files. */
export function watchConfigs(hub: Pick<HubLifecycle, 'onRunning'>): ConfigWatch {
  let current: readonly ConnectClient[] = [];
  let feed: Disposable | undefined;
  hub.onRunning(({ events }) => {
    feed = events['connect.changed'](({ clients }) => {
      current = clients;
    });
  });
  return {
    get current() {
      return current;
    },
    dispose: () => feed?.dispose(),
  };
}

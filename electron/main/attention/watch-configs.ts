import type { ConnectClient } from '../../../shared/model/connect.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Disposable } from '../port/disposable.ts';

/** Keeps the last reported list of clients and their configs. */
export interface ConfigWatch extends Disposable {
  readonly current: readonly ConnectClient[];
}

/** Starts before the hub, which reports the first list once it has checked the files. */
export function watchConfigs({ connect }: Pick<Engine, 'connect'>): ConfigWatch {
  let current: readonly ConnectClient[] = [];
  const feed = connect.onChange(({ clients }) => {
    current = clients;
  });
  return {
    get current() {
      return current;
    },
    dispose: () => feed.dispose(),
  };
}

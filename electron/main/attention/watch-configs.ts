import type { ConnectClient } from '../../../shared/model/connect.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Disposable } from '../port/disposable.ts';

/** The clients by their configs, as they were told of last. */
export interface ConfigWatch extends Disposable {
  readonly current: readonly ConnectClient[];
}

/** Starts before the hub does, which tells the first list when it has looked at the files. */
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

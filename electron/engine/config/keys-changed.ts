import type { ConfigStore } from './contract.ts';

export function onKeysChanged(
  config: Pick<ConfigStore, 'state' | 'onChange'>,
  listener: (removed: ReadonlySet<string>, added: readonly string[]) => void,
): void {
  let before = keysOf(config);
  config.onChange(() => {
    const after = keysOf(config);
    const removed = new Set([...before].filter((key) => !after.has(key)));
    const added = [...after].filter((key) => !before.has(key));
    before = after;
    if (removed.size + added.length > 0) listener(removed, added);
  });
}

function keysOf({ state }: Pick<ConfigStore, 'state'>): ReadonlySet<string> {
  return new Set(state.servers.map(({ key }) => key));
}

import type { ConfigStore } from '../config/contract.ts';

export function onOtherKeys(
  config: Pick<ConfigStore, 'state' | 'onChange'>,
  moved: (gone: ReadonlySet<string>, come: readonly string[]) => void,
): void {
  let before = keysOf(config);
  config.onChange(() => {
    const after = keysOf(config);
    const gone = new Set([...before].filter((key) => !after.has(key)));
    const come = [...after].filter((key) => !before.has(key));
    before = after;
    if (gone.size + come.length > 0) moved(gone, come);
  });
}

function keysOf({ state }: Pick<ConfigStore, 'state'>): ReadonlySet<string> {
  return new Set(state.servers.map(({ key }) => key));
}

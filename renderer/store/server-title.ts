import { serverTitles } from '../../shared/model/server/server-title.ts';
import type { ServersMirror } from './mirror-store.ts';
import type { Model } from './model.ts';

type ByKey = ServersMirror['byKey'];

const known = new WeakMap<ByKey, Readonly<Record<string, string>>>();

/** Returns a server's display name; its key if it has none or is gone. */
export function titleIn(byKey: ByKey, key: string): string {
  const titles = known.get(byKey) ?? serverTitles(Object.values(byKey));
  known.set(byKey, titles);
  return titles[key] ?? key;
}

/** Returns the same outside of components. */
export function titleOf({ mirrors }: Pick<Model, 'mirrors'>, key: string): string {
  return titleIn(mirrors.servers.getState().byKey, key);
}

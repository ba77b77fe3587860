import { serverTitles } from '../../shared/model/server-title.ts';
import type { ServersMirror } from './mirror-store.ts';
import type { Model } from './model.ts';

type ByKey = ServersMirror['byKey'];

const known = new WeakMap<ByKey, Readonly<Record<string, string>>>();

/** Tells a server's name for people; its key where it has no other, or is gone. */
export function titleIn(byKey: ByKey, key: string): string {
  const titles = known.get(byKey) ?? serverTitles(Object.values(byKey));
  known.set(byKey, titles);
  return titles[key] ?? key;
}

/** Tells the same outside of components. */
export function titleOf({ mirrors }: Pick<Model, 'mirrors'>, key: string): string {
  return titleIn(mirrors.servers.getState().byKey, key);
}

import type { Model } from './model.ts';

/** Tells a server's name for people; its key where it has no other, or is gone. */
export function titleOf({ mirrors }: Pick<Model, 'mirrors'>, key: string): string {
  return mirrors.servers.getState().byKey[key]?.title ?? key;
}

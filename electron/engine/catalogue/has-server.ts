import type { Catalogue } from './contract.ts';

/** Checks whether a server was ever listed, turned on or off. */
export function hasServer({ servers, off }: Catalogue, serverKey: string): boolean {
  return [servers, off].some((list) => list.some(({ key }) => key === serverKey));
}

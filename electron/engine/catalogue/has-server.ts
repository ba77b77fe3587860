import type { Catalogue } from './contract.ts';

/** Whether anything is known of a server, switched on or off. */
export function hasServer({ servers, off }: Catalogue, serverKey: string): boolean {
  return [servers, off].some((list) => list.some(({ key }) => key === serverKey));
}

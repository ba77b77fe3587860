import type { CatalogueServer, ClientProfile, RawItem } from './contract.ts';

/** Items that a list leaves out because the client would refuse it whole for one of them. */
export function unfitOf(
  servers: readonly CatalogueServer[],
  { refusesUnfit, style }: ClientProfile,
): ReadonlySet<RawItem> {
  // Raw names are those of one server, told as that server tells them.
  if (!refusesUnfit || style === 'raw') return new Set();
  return new Set(servers.flatMap(({ unfit }) => [...unfit]));
}

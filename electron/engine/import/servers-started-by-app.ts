import type { Connector } from '../clients/contract.ts';
import { thisMachine } from '../clients/machine.ts';
import { clientTable } from '../clients/table/client-table.ts';

/** Returns the names of the servers that an app starts itself, as far as its config files can be read. */
export async function serversStartedByApp(
  connector: Pick<Connector, 'list'>,
  client: string,
  { inherited = process.env }: { readonly inherited?: Readonly<Record<string, string | undefined>> },
): Promise<readonly string[]> {
  const { readApps } = await import('./source/read-apps.ts');
  const row = clientTable.find(({ id }) => id === client);
  const files = (await connector.list()).find(({ id }) => id === client)?.files ?? [];
  if (row === undefined || files.length === 0) return [];
  const apps = files.map(({ file }) => ({ row, file }));
  return (await readApps(apps, thisMachine(inherited))).servers.map(({ key }) => key);
}

import { afterEach, expect, it } from 'vitest';
import { Emitter } from '../../../../../../electron/engine/base/emitter.ts';
import type { Catalogue } from '../../../../../../electron/engine/catalogue/contract.ts';
import { createSessionRegistry } from '../../../../../../electron/engine/gateway/session/session-registry.ts';
import { createMemoryTransportPair } from '../../../../../../electron/engine/transport/memory-transport.ts';
import {
  catalogueOf,
  echoRouter,
  offerOf,
  RawClient,
  surroundings,
  until,
} from '../../../../../helper/gateway.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** Changes the part of the catalogue that the client was granted. */
async function granted() {
  const catalogue = catalogueOf({ files: offerOf('read'), web: offerOf('get') });
  const changes = new Emitter<void>();
  let part = (whole: Catalogue): Catalogue => whole;
  const grants = {
    identityId: 'i1',
    identify() {},
    select: (whole: Catalogue) => part(whole),
    mayUse: () => true,
    explain: () => '',
    onChange: changes.event,
    dispose() {},
  };
  const sessions = createSessionRegistry(
    surroundings({ router: echoRouter, catalogue, access: { open: () => grants } }),
  );
  opened.push(sessions);
  const [ours, theirs] = createMemoryTransportPair();
  const client = await new RawClient(theirs).open();
  await sessions.open({ transport: ours, via: 'http' });
  await client.greet('test');
  const grant = (next: typeof part) => {
    part = next;
    changes.fire();
  };
  return { client, grant };
}

const told = (client: RawClient) => client.notices().map(({ method }) => method);

it('[REQ-MCP-AUTH-002] [PB-PASS-1] changed grants are announced only if they change a list', async () => {
  const { client, grant } = await granted();
  await client.request('tools/list');
  grant((whole) => whole);
  await client.request('ping');
  expect(told(client)).toEqual([]);
  grant((whole) => ({ ...whole, servers: whole.servers.slice(1) }));
  await until('the notice', () => told(client).length > 0);
  expect(told(client)).toEqual(['notifications/tools/list_changed']);
});

it('[REQ-MCP-AUTH-002] a client without a list is notified of one that changed, and of no other', async () => {
  const { client, grant } = await granted();
  grant((whole) => whole);
  await client.request('ping');
  expect(told(client)).toEqual([]);
  grant((whole) => ({ ...whole, servers: [] }));
  await until('the notice', () => told(client).length > 0);
  expect(told(client)).toEqual(['notifications/tools/list_changed']);
});

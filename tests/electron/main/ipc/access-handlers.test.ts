import { expect, it } from 'vitest';
import { accessHandlers } from '../../../../electron/main/ipc/access-handlers.ts';
import type { HandlerContext } from '../../../../electron/main/ipc/handlers.ts';
import { FakeEngine } from '../../../helper/fake-engine.ts';

it('[PB-IPC-1] [PB-SAFE-2] a new token goes to the clipboard and never to the window', async () => {
  const engine = new FakeEngine();
  const copied: string[] = [];
  const system = { copyText: (text: string) => void copied.push(text) };
  const handlers = accessHandlers({ engine, system } as unknown as HandlerContext);
  expect(await handlers['access.copyToken']({ id: 'id-1' })).toBeUndefined();
  expect([engine.calls, copied]).toEqual([[['access.rotate', 'id-1']], ['pb_00000000_secret']]);
});

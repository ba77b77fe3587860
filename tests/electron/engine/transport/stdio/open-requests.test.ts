import { describe, expect, it } from 'vitest';
import { toRaw } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import { OpenRequests } from '../../../../../electron/engine/transport/stdio/open-requests.ts';

const request = (id: number, method: string) => toRaw({ jsonrpc: '2.0', id, method });

describe('[PB-BRIDGE-1] requests that are still answered after the end of the input', () => {
  it('are those that were neither answered nor cancelled', () => {
    const open = new OpenRequests();
    for (const id of [1, 2, 3]) open.received(request(id, 'tools/call'));
    open.sent({ jsonrpc: '2.0', id: 1, result: {} });
    const params = { requestId: 2 };
    open.received(toRaw({ jsonrpc: '2.0', method: 'notifications/cancelled', params }));
    expect(open.all()).toEqual([3]);
  });

  it('are as many as came, also under the same id', () => {
    const open = new OpenRequests();
    for (const method of ['initialize', 'ping', 'tools/call']) open.received(request(1, method));
    open.sent({ jsonrpc: '2.0', id: 1, result: {} });
    expect([open.all(), open.isEmpty]).toEqual([[1, 1], false]);
    for (const _ of [1, 2]) open.sent({ jsonrpc: '2.0', id: 1, result: {} });
    expect([open.all(), open.isEmpty]).toEqual([[], true]);
  });

  it('are no listens, which last as long as the connection', () => {
    const open = new OpenRequests();
    open.received(request(1, 'subscriptions/listen'));
    expect(open.isEmpty).toBe(true);
  });
});

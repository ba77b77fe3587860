import { describe, expect, it } from 'vitest';
import { HubRequests } from '../../../electron/bridge/hub-requests.ts';
import { RememberedRequests } from '../../../electron/bridge/hub-sync.ts';
import type { RawRequest } from '../../../electron/engine/jsonrpc/raw-message.ts';
import { toRaw } from '../../../electron/engine/jsonrpc/read-message.ts';

const question = (id: number) => toRaw({ jsonrpc: '2.0', id, method: 'roots/list' });
const answer = (id: unknown) => toRaw({ jsonrpc: '2.0', id: id as number, result: { roots: [] } });
const cancel = (requestId: number) =>
  toRaw({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason: 'late' } });

describe('what a hub asks through a bridge', () => {
  it('[PB-ISO-1] is answered once, under the hub’s own id', () => {
    const questions = new HubRequests();
    questions.toClient(question(7));
    const asked = questions.toClient(question(1));
    expect(questions.toHub(answer(asked.id))?.value).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { roots: [] },
    });
    expect(questions.toHub(answer(asked.id))).toBeUndefined();
    expect(questions.toHub(answer('other'))).toBeUndefined();
  });

  it('[PB-ISO-1] [PB-BRIDGE-1] gets no answer that was meant for an earlier hub', () => {
    const questions = new HubRequests();
    const early = questions.toClient(question(1));
    expect(questions.takeAll()).toEqual([early.id]);
    const late = questions.toClient(question(1));
    expect(questions.toHub(answer(early.id))).toBeUndefined();
    expect(questions.toHub(answer(late.id))).toBeDefined();
  });

  it('[PB-PASS-1] is cancelled at the client by the id the client knows', () => {
    const questions = new HubRequests();
    questions.toClient(question(5));
    const asked = questions.toClient(question(1));
    expect(questions.notificationToClient(cancel(1)).params).toEqual({ requestId: asked.id, reason: 'late' });
    expect(questions.toHub(answer(asked.id))).toBeUndefined();
    const other = toRaw({ jsonrpc: '2.0', method: 'notifications/message', params: {} });
    expect(questions.notificationToClient(other)).toBe(other);
  });
});

describe('the state that a client has set', () => {
  it('[PB-BRIDGE-1] [PB-PASS-1] is repeated: the last log level and the current subscriptions', () => {
    const wishes = new RememberedRequests();
    const grant = (method: string, params: Readonly<Record<string, unknown>>) =>
      wishes.accepted(toRaw({ jsonrpc: '2.0', id: 1, method, params }) as RawRequest);
    expect(wishes.replay()).toEqual([]);
    grant('logging/setLevel', { level: 'debug' });
    grant('logging/setLevel', { level: 'error' });
    for (const uri of ['a:1', 'a:2']) grant('resources/subscribe', { uri });
    grant('resources/unsubscribe', { uri: 'a:1' });
    expect(wishes.replay().map(({ method, params }) => [method, params])).toEqual([
      ['logging/setLevel', { level: 'error' }],
      ['resources/subscribe', { uri: 'a:2' }],
    ]);
  });
});

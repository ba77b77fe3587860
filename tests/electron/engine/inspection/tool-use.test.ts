import { expect, test } from 'vitest';
import { ToolUseCounter } from '../../../../electron/engine/inspection/tool-use.ts';
import type { ToolUse } from '../../../../electron/engine/inspection/tool-uses.ts';
import { readMessage } from '../../../../electron/engine/jsonrpc/read-message.ts';
import type { CallRecord } from '../../../../electron/engine/routing/contract.ts';
import { proofMember } from '../../../../shared/model/client/proof.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

function counted() {
  const clock = new FakeClock();
  const added: ToolUse[] = [];
  const asked: string[] = [];
  const counter = new ToolUseCounter({
    clock,
    store: { add: (uses) => void added.push(...uses), since: async () => [], flush: async () => true },
    clientName: (id) => {
      asked.push(id);
      return id === 'tester' ? undefined : `name of ${id}`;
    },
  });
  const call = (sessionId: string, name: string | undefined, method = 'tools/call', params = {}) => {
    const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { name, ...params } });
    const request = readMessage(Buffer.from(line));
    counter.started({ sessionId, serverKey: 's', name, method, request } as CallRecord);
  };
  return { clock, added, asked, counter, call };
}

test('[AG-US7-AC1] tool calls are counted by client, and stored now and then', () => {
  const { clock, added, asked, call } = counted();
  for (const name of ['x', 'x', 'y']) call('one', name);
  call('two', 'x');
  call('tester', 'x');
  call('one', 'p', 'prompts/get');
  expect(added).toEqual([]);
  clock.advance(10_000);
  expect(added.map(({ client, name, calls }) => [client, name, calls])).toEqual([
    ['name of one', 'x', 2],
    ['name of one', 'y', 1],
    ['name of two', 'x', 1],
  ]);
  expect(asked).toEqual(['one', 'two', 'tester']);
});

test('[AG-US7-AC1] nothing is lost when it ends, and nothing counted twice', () => {
  const { added, counter, call } = counted();
  call('one', 'x');
  counter.dispose();
  counter.dispose();
  expect(added.map(({ calls }) => calls)).toEqual([1]);
});

test('[AG-US7-AC1] a connection test does not count as use unless it has arguments', () => {
  const { added, counter, call } = counted();
  const _meta = { [proofMember]: true };
  call('one', 'x', 'tools/call', { arguments: {}, _meta });
  call('one', 'y', 'tools/call', { arguments: { a: 1 }, _meta });
  counter.dispose();
  expect(added.map(({ name }) => name)).toEqual(['y']);
});

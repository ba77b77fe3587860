import { expect, it } from 'vitest';
import { takeOutcome } from '../../../../../electron/engine/catalogue/listing/list-outcome.ts';
import { lists } from '../../../../../electron/engine/catalogue/listing/list-specs.ts';
import { ListPace, type ListState } from '../../../../../electron/engine/catalogue/listing/list-state.ts';
import { ConnectionClosedError, RpcError } from '../../../../../electron/engine/jsonrpc/message.ts';

function stateOf(): ListState {
  const [spec] = lists;
  if (spec === undefined) throw new Error('There are no lists.');
  return {
    spec,
    declared: true,
    pace: new ListPace(),
    problem: undefined,
    closeError: undefined,
    hasChanged: false,
    failures: 0,
    wasAnswered: false,
  } as ListState;
}

it.each([
  ['an error', new RpcError({ code: -32000, message: 'Not ready' }), [1_000, 3_000, 10_000, 30_000]],
  ['an HTTP status', new ConnectionClosedError('HTTP 503', true), [1_000, 3_000, 10_000, 30_000]],
])('[PB-LIST-1] a list that is refused by %s is asked for again soon', (_, error, waits) => {
  const list = stateOf();
  expect(waits.map(() => takeOutcome(list, { error }, undefined))).toEqual(waits);
});

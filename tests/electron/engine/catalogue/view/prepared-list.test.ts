import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../../../electron/engine/base/digest.ts';
import { chooseProfile } from '../../../../../electron/engine/catalogue/client-facts.ts';
import type { RawItem } from '../../../../../electron/engine/catalogue/contract.ts';
import { readItem } from '../../../../../electron/engine/catalogue/item-text.ts';
import { prepareList } from '../../../../../electron/engine/catalogue/view/prepared-list.ts';
import { createView } from '../../../../../electron/engine/catalogue/view/view.ts';
import type { JsonRpcId } from '../../../../../electron/engine/jsonrpc/message.ts';
import { lineOf } from '../../../../../electron/engine/jsonrpc/object-message.ts';
import { readMessage, toRaw } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import { toResponse } from '../../../../../electron/engine/jsonrpc/response.ts';
import { catalogueOf, serverOf } from '../../../../helper/catalogue.ts';

const profile = chooseProfile({ programDefault: 'safe' });

function viewOf(tools: readonly object[]) {
  return createView(catalogueOf(serverOf('a', { tools })), profile);
}

/** Helpers copy their items, which drops the text. */
function catalogueWith(tool: RawItem) {
  const server = serverOf('a');
  return catalogueOf({ ...server, offer: { ...server.offer, tools: [tool] } });
}

const request = (id: JsonRpcId) => toRaw({ jsonrpc: '2.0', id, method: 'tools/list' });

describe('a prepared list', () => {
  it('[PB-PASS-1] is sent and digested as if it were serialized again, whatever its tools contain', () => {
    const awkward = fc.constantFrom('\u2028', 'a\u2029b', '\ud800', '"\\', 'é', '__proto__');
    const tool = fc.record({
      name: fc.constant('t'),
      description: fc.oneof(fc.string(), awkward),
      x: fc.jsonValue(),
    });
    const id = fc.oneof(fc.integer(), fc.string(), awkward);
    fc.assert(
      fc.property(tool, id, (item, requestId) => {
        const view = viewOf([item]);
        const list = prepareList('tools/list', view.tools);
        const line = toRaw(toResponse(request(requestId), list.response)).line();
        expect(line).toEqual(lineOf({ jsonrpc: '2.0', id: requestId, result: { tools: view.tools } }));
        expect(list.digest()).toBe(digestOf(view.tools));
        const heard = readMessage(line)?.result as { tools: unknown };
        expect(digestOf(heard.tools)).toBe(list.digest());
      }),
    );
  });

  it('[FR-008, PB-PASS-1] is sent as its server wrote it, and digested by that as well as by value', () => {
    const tool = String.raw`{"name":"t", "n":[9007199254740993,-0,1e400],"x":1,"x":2,"d":"\/"}`;
    const listOf = (text: string) =>
      prepareList('tools/list', createView(catalogueWith(readItem(text) as RawItem), profile).tools);
    const list = listOf(tool);
    const told = tool.replace('"t"', '"a__t"');
    const line = toRaw(toResponse(request(1), list.response)).line();
    expect(line.toString()).toBe(`{"jsonrpc":"2.0","id":1,"result":{"tools":[${told}]}}\n`);
    const heard = readMessage(line)?.result as { tools: unknown };
    expect(list.digestOfValue()).toBe(digestOf(heard.tools));
    const other = listOf(tool.replace('993', '992'));
    expect(other.digestOfValue()).toBe(list.digestOfValue());
    expect(other.digest()).not.toBe(list.digest());
    expect(listOf(tool).digest()).toBe(list.digest());
  });

  it('answers under an id that no number can hold', () => {
    const asked = readMessage(
      Buffer.from('{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/list"}'),
    );
    if (asked === undefined) throw new Error('not read');
    const { response: answer } = prepareList('tools/list', viewOf([{ name: 't' }]).tools);
    expect(toRaw(toResponse(asked, answer)).line().toString()).toMatch(/"id":12345678901234567890,"result"/);
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCatalogue, readCatalogueFile } from '../../../../electron/engine/catalogue/catalogue-file.ts';
import { chooseProfile } from '../../../../electron/engine/catalogue/client-facts.ts';
import type { Catalogue, RawItem } from '../../../../electron/engine/catalogue/contract.ts';
import {
  attachTexts,
  originalText,
  readItem,
  serializeItems,
  withMember,
} from '../../../../electron/engine/catalogue/item-text.ts';
import { LiveCatalogue } from '../../../../electron/engine/catalogue/live-catalogue.ts';
import { createView } from '../../../../electron/engine/catalogue/view/view.ts';
import { catalogueOf, offerOf, serverOf } from '../../../helper/catalogue.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

const raw = String.raw;

/** One example of each thing that a parser loses. */
const exactTools = [
  raw`{"name":"big","n":9007199254740993,"inputSchema":{"type":"object"}}`,
  raw`{"name":"zero","n":[-0,1.0,1E+2,1e400],"inputSchema":{"type":"object"}}`,
  raw`{"name":"twice","a":1,"a":2,"inputSchema":{"type":"object"}}`,
  raw`{"name":"keys","inputSchema":{"type":"object","b":{},"10":{},"2":{},"__proto__":{}}}`,
  raw`{"name":"escapes","d":"\u0041\/ \u00e9 \u2028 🎉","inputSchema":{"type":"object"}}`,
  raw`{ "name" : "space" , "inputSchema":{"type":"object"} }`,
  raw`{"name":"other","n\u0061me":"spelled","inputSchema":{"type":"object"}}`,
];

function listed(texts: readonly string[]): readonly RawItem[] {
  const result = Buffer.from(`{"tools":[7], "x":"tools", "tools": [ ${texts.join(' , ')}\t] }`);
  const { tools } = JSON.parse(result.toString());
  attachTexts(tools, result, 'tools');
  return tools;
}

describe('the text of items', () => {
  it('[FR-008, PB-PASS-1] is to the letter what the server wrote, whatever else stands in the list', () => {
    const others = ['7', 'null', '"{}"', '[{"name":"a"}]', '{}', '{"name":"plain"}'];
    const items = listed([...others, ...exactTools]);
    expect(items.slice(0, others.length).map((item) => item && originalText(item))).toEqual(
      others.map((text) => (text === 'null' ? null : undefined)),
    );
    expect(serializeItems(items.slice(others.length))).toBe(`[${exactTools.join(',')}]`);
  });

  it('is kept of the one item that is not as printed in a list that is otherwise', () => {
    const texts = ['{"name":"a","d":"\u00e9"}', raw`{"name":"b","n":1.0}`, '{"name":"c"}'];
    for (const result of [`{"tools":[${texts.join(',')}]}`, `{"tools":[${texts[0]}]}`]) {
      const { tools } = JSON.parse(result) as { tools: RawItem[] };
      attachTexts(tools, Buffer.from(result), 'tools');
      expect(tools.map(originalText)).toEqual(tools.map(({ name }) => (name === 'b' ? texts[1] : undefined)));
      expect(`{"tools":${serializeItems(tools)}}`).toBe(result);
    }
  });

  it('is kept only where printing gives another, and seen by no copy, comparison or print', () => {
    const plain = raw`{"name":"a","n":[1.5,-1],"d":"é\n"}`;
    const [one, other] = listed([plain, raw`{"name":"a","n":1.0}`]);
    expect(one && originalText(one)).toBeUndefined();
    expect(JSON.stringify(other)).toBe('{"name":"a","n":1}');
    expect(isDeepStrictEqual(other, { name: 'a', n: 1 })).toBe(true);
    expect(originalText({ ...other })).toBeUndefined();
  });

  it('[PB-PASS-1] any JSON in any spelling comes back as it stood', () => {
    const space = fc.constantFrom('', ' ', '\t', '  ');
    const spelled = fc
      .tuple(fc.dictionary(fc.string(), fc.jsonValue()), space)
      .map(
        ([value, gap]) =>
          `{${gap}"name":"t",${gap}"x":${JSON.stringify(value, null, gap).replaceAll('\n', '')}}`,
      );
    fc.assert(
      fc.property(fc.array(spelled), (texts) => {
        expect(serializeItems(listed(texts))).toBe(`[${texts.join(',')}]`);
      }),
    );
  });

  it('of several lines is not kept: it would break the line it is sent on', () => {
    expect(serializeItems([readItem('{"name":"a",\n"n":1.0}') as RawItem])).toBe('[{"name":"a","n":1}]');
  });

  it('is not kept of what is too deep to be printed, and that costs no other item its text', () => {
    const deep = `{"name":"deep","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const [first, second] = listed([deep, raw`{"name":"a","n":1.0}`]);
    expect(first && originalText(first)).toBeUndefined();
    expect(second && originalText(second)).toBe(raw`{"name":"a","n":1.0}`);
  });

  it('has only the name replaced, wherever and however it is written', () => {
    const told = (text: string) => serializeItems([withMember(readItem(text) as RawItem, 'name', 'b"é')]);
    expect(told(raw`{"a":{"name":1.0},"name" : "a","z":-0}`)).toBe(
      raw`[{"a":{"name":1.0},"name" : "b\"é","z":-0}]`,
    );
    expect(told(raw`{"name":7,"n\u0061me":"a"}`)).toBe(raw`[{"name":"b\"é","n\u0061me":"b\"é"}]`);
    expect(told(raw`{"name":"a","x":1}`)).toBe(raw`[{"name":"b\"é","x":1}]`);
  });
});

describe('offers whose items have texts', () => {
  it('[FR-009] differ where only their texts do, and are the same where nothing does', () => {
    const store = new LiveCatalogue({ clock: new FakeClock() });
    store.setServers([{ key: 'a', enabled: true, disabledTools: new Set() }]);
    const offer = (text: string) => ({ ...offerOf(), tools: listed([text]) });
    const revisionAfter = (text: string) => {
      store.setListing('a', offer(text));
      return store.current.revision;
    };
    const first = revisionAfter(raw`{"name":"t","n":9007199254740993}`);
    expect(revisionAfter(raw`{"name":"t","n":9007199254740993}`)).toBe(first);
    expect(revisionAfter(raw`{"name":"t","n":9007199254740992}`)).toBe(first + 1);
    store.dispose();
  });

  it('[PB-BRIDGE-1] come back from the disk as they were, and give the very same lists', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'catalogue.json');
    const resources = [readItem(raw`{"uri":"u","name":"u","size":9007199254740993}`) as RawItem];
    const tools = listed([raw`{"name":"plain"}`, ...exactTools]);
    const offer = { ...offerOf({ resources }), tools };
    const server = { ...serverOf('a'), offer };
    const catalogue = catalogueOf(server, { ...server, key: 'b' });
    await writeFile(file, formatCatalogue(catalogue));
    const read = await readCatalogueFile(file);
    if (read.kind !== 'catalogue') throw new Error(read.kind);
    const profile = chooseProfile({ programDefault: 'safe' });
    const lists = (of: Catalogue) => {
      const view = createView(of, profile);
      return [serializeItems(view.tools), serializeItems(view.resources)];
    };
    expect(lists(read.catalogue)).toEqual(lists(catalogue));
    expect(read.catalogue.servers[0]?.offer).toStrictEqual(offer);
    expect(lists(read.catalogue)[1]).toContain(
      raw`{"uri":"patchbay://resource/b/u","name":"u","size":9007199254740993}`,
    );
  });

  it('are read without them where the file has none, or strange ones', async () => {
    await using folder = await tempDir();
    const file = join(folder.path, 'catalogue.json');
    const texts = { tools: { 0: 7, 5: '{"name":"nobody"}' }, prompts: [] };
    const servers = [{ key: 'a', disabledTools: [], offer: offerOf({ tools: ['t'] }), texts }];
    await writeFile(file, JSON.stringify({ version: 1, revision: 1, servers }));
    const read = await readCatalogueFile(file);
    expect(read).toMatchObject({ catalogue: { servers: [{ offer: { tools: [{ name: 't' }] } }] } });
  });
});

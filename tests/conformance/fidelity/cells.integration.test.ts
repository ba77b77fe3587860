import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../../helper/eventually.ts';
import { call, expectSame, listOf, paramsOf, payloadOf } from './compare.ts';
import {
  argumentValues,
  completions,
  errors,
  progressNotices,
  promptResults,
  prompts,
  questions,
  readings,
  resources,
  results,
  tools,
} from './fixture/payloads.mjs';
import { memberOf, withMember } from './fixture/raw-json.mjs';
import { ModernRawClient } from './modern-raw-client.ts';
import {
  type Cell,
  differencesTable,
  type NeededDifference,
  neededDifferences,
  translated,
  translatedCells,
} from './needed-differences.ts';
import { type Asked, allPaths, keepOpen, levelsOf } from './on-path.ts';
import { type Era, openDirect, openPath, trickyServer } from './paths.ts';
import { type Reply, textOf } from './raw-client.ts';

/** Something that is asked or heard; the text of what came. */
type Item = (asked: Asked) => Promise<string>;

const used = new Set<NeededDifference>();

describe('[PB-DUAL-1] [PB-DUAL-3] [PB-PASS-1] across the eras', () => {
  for (const cell of translatedCells) {
    const [client, server] = cell.match(/legacy|modern/g) as [Era, Era];
    const items = itemsOf(cell);
    describe.each(allPaths)(`${cell}, through %s:`, (path) => {
      const itself = keepOpen(() => openDirect(trickyServer(server), server));
      const through = keepOpen(() => openPath(path, {}, trickyServer(server), client));

      it.each(Object.keys(items))('%s', async (name) => {
        const item = items[name] as Item;
        const [asItIs, asItCame] = await Promise.all([item(itself()), item(through())]);
        const { expected, got, used: rows } = translated(cell, path, name, asItIs, asItCame);
        for (const row of rows) used.add(row);
        for (const level of levelsOf(path)) expectSame(level, expected, got);
      });

      it('a list that grew is told and listed', async () => {
        const { open, client: peer } = through();
        const before = (await listOf(through(), 'tools')).length;
        if (peer instanceof ModernRawClient) await peer.listen('{"toolsListChanged":true}');
        const told = peer.notices('notifications/tools/list_changed').length;
        await call(through(), 'grow');
        await eventually(() =>
          expect(peer.notices('notifications/tools/list_changed').length).toBeGreaterThan(told),
        );
        const after = await listOf(through(), 'tools');
        expect(after).toHaveLength(before + 1);
        expect(memberOf(after.at(-1) ?? '{}', 'name')).toBe(JSON.stringify(open.told('extra-0')));
      });
    });
  }

  afterAll(() => {
    // A row that no item needs any more is taken out.
    expect(neededDifferences.filter((row) => !used.has(row)).map(({ what }) => what)).toEqual([]);
  });
});

describe('[PB-DUAL-1] docs/fidelity.md', () => {
  it('has the table of needed differences; FIDELITY_UPDATE=1 writes it', async () => {
    const file = new URL('../../../docs/fidelity.md', import.meta.url);
    const page = await readFile(file, 'utf8');
    const [before = '', after = ''] = page.split(
      /(?<=<!-- needed differences -->\n\n)[\s\S]*?(?=\n\n<!-- end -->)/,
    );
    const whole = `${before}${differencesTable()}${after}`;
    if (process.env.FIDELITY_UPDATE === '1') await writeFile(file, whole);
    else expect(page).toBe(whole);
  });
});

/** Everything that is compared in a cell, by name. */
function itemsOf(cell: Cell): Readonly<Record<string, Item>> {
  const isModernServer = cell.endsWith('modern server');
  return {
    ...callItems(isModernServer),
    ...listItems(),
    ...readItems(),
    ...heardItems(),
    ...questionItems(),
    ...(cell === 'legacy client, modern server' ? refusalItems() : {}),
    ...(isModernServer ? {} : { 'visit, pages before a call': visitOf }),
  };
}

function callItems(isModernServer: boolean): Readonly<Record<string, Item>> {
  // Means something else to a client and a server that are both stateless.
  const later = 'a result of a later revision';
  const visit = 'the URL elicitation error';
  const meta =
    '{"vendor/k":{"a":[1.0]},"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}';
  return {
    ...named(
      'result',
      Object.keys(results).filter((item) => !isModernServer || item !== later),
      (item) => (asked) => payloadOf(call(asked, 'result', `{"item":${JSON.stringify(item)}}`)),
    ),
    ...named(
      'error',
      Object.keys(errors).filter((item) => item !== visit),
      (item) => (asked) => payloadOf(call(asked, 'error', `{"item":${JSON.stringify(item)}}`)),
    ),
    ...named('arguments', Object.keys(argumentValues), (item) => async (asked) => {
      const received = textOf(await call(asked, 'received', `{"value":${argumentValues[item]},"after":1}`));
      return memberOf(paramsOf(received), 'arguments') ?? 'none';
    }),
    'params, unknown fields and _meta of the client': async ({ open, client }) => {
      const name = JSON.stringify(open.told('received'));
      const params = `{"x-a":{"b":null},"name":${name},"arguments":{},"x-task":{"ttl":60000},"_meta":${meta}}`;
      return withMember(paramsOf(textOf(await client.ask('tools/call', params))), 'name', '""');
    },
    'params, no arguments': async ({ open, client }) => {
      const params = `{"name":${JSON.stringify(open.told('received'))}}`;
      return withMember(paramsOf(textOf(await client.ask('tools/call', params))), 'name', '""');
    },
  };
}

function listItems(): Readonly<Record<string, Item>> {
  return {
    ...named('tool', Object.keys(tools), (name) => async (asked) => {
      const told = JSON.stringify(asked.open.told(name));
      const listed = await listOf(asked, 'tools');
      const found = listed.find((tool) => tool.startsWith('{') && memberOf(tool, 'name') === told);
      return withMember(found ?? '{"missing":true}', 'name', JSON.stringify(name));
    }),
    ...named(
      'prompt',
      prompts.map((_, index) => String(index)),
      (index) => async (asked) =>
        withMember((await listOf(asked, 'prompts'))[Number(index)] ?? '{}', 'name', '""'),
    ),
    ...named(
      'resource',
      resources.map((_, index) => String(index)),
      (index) => async (asked) => (await listOf(asked, 'resources'))[Number(index)] ?? '{}',
    ),
    'template, the only one': async (asked) => (await listOf(asked, 'resourceTemplates'))[0] ?? '{}',
  };
}

function readItems(): Readonly<Record<string, Item>> {
  return {
    ...named(
      'resources/read',
      Object.keys(readings),
      (uri) =>
        ({ client }) =>
          payloadOf(client.ask('resources/read', `{"uri":${JSON.stringify(uri)}}`)),
    ),
    'resources/read, an error with data': ({ client }) =>
      payloadOf(client.ask('resources/read', '{"uri":"memo://gone"}')),
    ...named(
      'prompts/get',
      Object.keys(promptResults),
      (name) =>
        ({ open, client }) =>
          payloadOf(client.ask('prompts/get', `{"name":${JSON.stringify(open.told(name))},"arguments":{}}`)),
    ),
    ...named('completion', Object.keys(completions), (value) => ({ open, client }) => {
      const reference = `{"type":"ref/prompt","name":${JSON.stringify(open.told('greet'))},"x-a":1}`;
      const argument = `{"name":"who","value":${JSON.stringify(value)},"x-b":1.0}`;
      return payloadOf(client.ask('completion/complete', `{"ref":${reference},"argument":${argument}}`));
    }),
  };
}

function heardItems(): Readonly<Record<string, Item>> {
  const tokens = ['"text"', '""', '7', '0', '-1', '9007199254740993'];
  return {
    ...named('progress', tokens, (token) => (asked) => progressOf(asked, 'plain', token)),
    'progress, numbers': (asked) => progressOf(asked, 'numbers', '"text"'),
    'log, plain': (asked) => logOf(asked, 'plain'),
    'log, numbers': (asked) => logOf(asked, 'numbers'),
    'update, of a resource': updateOf,
  };
}

const answer =
  '{"role":"assistant","content":{"type":"text","text":"yes"},"x-a":[1.0,9007199254740993],"_meta":{"k":{}}}';
const refusal = '{"code":-1,"message":"User rejected","data":{"x":[null]}}';

function questionItems(): Readonly<Record<string, Item>> {
  const items = Object.keys(questions);
  return {
    ...named(
      'question',
      items,
      (item) => async (asked) => (await ask(asked, item, { result: answer })).heard,
    ),
    ...named('answer', items, (item) => async (asked) => {
      const text = textOf((await ask(asked, item, { result: answer })).answered);
      const state = memberOf(text, 'state');
      return `{"result":${memberOf(text, 'result')}${state === undefined ? '' : `,"state":${state}`}}`;
    }),
  };
}

function refusalItems(): Readonly<Record<string, Item>> {
  return named('refusal', Object.keys(questions), (item) => async (asked) => {
    // A stateless client cannot refuse; what the server itself would hear is not compared.
    if (asked.client instanceof ModernRawClient) return '{}';
    const { answered } = await ask(asked, item, { error: refusal });
    if (memberOf(answered, 'error') !== undefined) return payloadOf(Promise.resolve(answered));
    return `{"result":${memberOf(textOf(answered), 'result')}}`;
  });
}

function named(
  kind: string,
  names: readonly string[],
  create: (name: string) => Item,
): Readonly<Record<string, Item>> {
  return Object.fromEntries(names.map((name) => [`${kind}, ${name}`, create(name)]));
}

async function ask(asked: Asked, item: string, said: Reply) {
  let heard = 'nothing';
  asked.client.reply = (method, text) => {
    heard = `{"method":"${method}","params":${memberOf(text, 'params')}}`;
    return said;
  };
  const answered = await call(asked, 'ask', `{"item":${JSON.stringify(item)}}`);
  return { heard, answered };
}

/** Page that a client is asked to visit: the question, or for one with a session the error. */
async function visitOf(asked: Asked): Promise<string> {
  let heard = 'nothing';
  asked.client.reply = (method, text) => {
    heard = `{"method":"${method}","params":${memberOf(text, 'params')}}`;
    return { result: '{"action":"accept"}' };
  };
  const failing = call(asked, 'error', '{"item":"the URL elicitation error"}');
  if (!(asked.client instanceof ModernRawClient)) return payloadOf(failing);
  // The server never accepts an answer, so the client gives up.
  await expect(failing).rejects.toThrow('was asked for more');
  return heard;
}

/** The progress notices of one call under this token. */
async function progressOf({ open, client }: Asked, item: string, token: string): Promise<string> {
  const before = client.notices('notifications/progress').length;
  const params = `"name":${JSON.stringify(open.told('progress'))},"arguments":{"item":"${item}"}`;
  await client.ask('tools/call', `{${params},"_meta":{"progressToken":${token}}}`);
  const notices = client.notices('notifications/progress').slice(before);
  expect(notices).toHaveLength(progressNotices[item]?.length ?? 0);
  return `[${notices.join()}]`;
}

async function logOf(asked: Asked, item: string): Promise<string> {
  const { client } = asked;
  if (client instanceof ModernRawClient) client.level = '"debug"';
  else await client.ask('logging/setLevel', '{"level":"debug"}');
  const before = client.notices('notifications/message').length;
  await call(asked, 'log', `{"item":"${item}"}`);
  return noticeAfter(before, asked, 'notifications/message');
}

async function updateOf(asked: Asked): Promise<string> {
  const { client } = asked;
  if (client instanceof ModernRawClient) await client.listen('{"resourceSubscriptions":["memo://one"]}');
  else await client.ask('resources/subscribe', '{"uri":"memo://one"}');
  const before = client.notices('notifications/resources/updated').length;
  await call(asked, 'update', '{"uri":"memo://one"}');
  return noticeAfter(before, asked, 'notifications/resources/updated');
}

/** A notice may come after the answer of the call that caused it. */
async function noticeAfter(before: number, { client }: Asked, method: string): Promise<string> {
  await eventually(() => expect(client.notices(method).length).toBeGreaterThan(before));
  return client.notices(method).at(-1) ?? '';
}

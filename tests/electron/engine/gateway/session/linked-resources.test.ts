import { describe, expect, it } from 'vitest';
import { createMemoryHub, type MemoryServer } from '../../../../helper/memory-hub.ts';

/** A server that links to unlisted resources and signs what it reads with its name. */
function notes(name: string, results: Readonly<Record<string, unknown>>): MemoryServer {
  return {
    capabilities: { tools: {}, resources: {} },
    offer: { tools: Object.keys(results).map((tool) => ({ name: tool, inputSchema: { type: 'object' } })) },
    answers: {
      'tools/call': ({ name: tool }) => results[String(tool)],
      'resources/read': ({ uri }) => ({ contents: [{ uri, text: `by ${name}` }] }),
    },
  };
}

const link = (uri: string) => ({ content: [{ type: 'resource_link', uri, name: 'a note' }] });

async function twoServers() {
  const hub = createMemoryHub({
    one: notes('one', {
      link: link('note://one/1'),
      embed: { content: [{ type: 'resource', resource: { uri: 'note://one/2', text: '' } }] },
      same: link('note://both'),
      long: { content: [{ type: 'text', text: 'x'.repeat(200_000) }, link('note://one/3').content[0]] },
    }),
    two: notes('two', { link: link('note://two/1'), same: link('note://both') }),
  });
  await hub.connect('one');
  await hub.connect('two');
  const client = await hub.client({});
  const call = (name: string) => client.peer.request('tools/call', { name }).result;
  const read = async (uri: string) => await client.peer.request('resources/read', { uri }).result;
  return { call, read, [Symbol.asyncDispose]: hub[Symbol.asyncDispose] };
}

describe('a resource that a result refers to and no list names', () => {
  it.each([
    ['a link', 'one:link', 'note://one/1', 'by one'],
    ['an embedded resource', 'one:embed', 'note://one/2', 'by one'],
    ['a link behind a long text', 'one:long', 'note://one/3', 'by one'],
    ['a link of the other server', 'two:link', 'note://two/1', 'by two'],
  ])('[PB-PASS-1] is read at the server whose result refers to it: %s', async (_, tool, uri, text) => {
    await using it = await twoServers();
    await it.call(tool);
    expect(await it.read(uri)).toEqual({ contents: [{ uri, text }] });
  });

  it('[PB-PASS-1] is read at the server that linked to it last', async () => {
    await using it = await twoServers();
    await it.call('one:same');
    await it.call('two:same');
    expect(await it.read('note://both')).toMatchObject({ contents: [{ text: 'by two' }] });
    await it.call('one:same');
    expect(await it.read('note://both')).toMatchObject({ contents: [{ text: 'by one' }] });
  });

  it('[PB-PASS-1] is not found before a result has referred to it', async () => {
    await using it = await twoServers();
    await expect(it.read('note://one/1')).rejects.toMatchObject({ code: -32002 });
  });
});

import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startAggregator } from '../../helper/aggregator.ts';
import { eventually } from '../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../helper/programs.ts';
import { restOf } from '../../helper/rest.ts';
import { configText, namesOf, startHub, textOf } from '../../helper/running-hub.ts';

/** A server with these lists; `revision` makes configs differ. */
const odd = (lists: object, more: { readonly capabilities?: unknown; readonly revision?: string } = {}) => ({
  ...nodeEntry(fixture('odd-lists')),
  env: {
    LISTS: JSON.stringify(lists),
    REVISION: more.revision ?? '',
    ...('capabilities' in more ? { CAPABILITIES: JSON.stringify(more.capabilities) } : {}),
  },
});

const refused = { error: { code: -32603, message: 'The disk is on fire' } };
const missing = { error: { code: -32601, message: 'Method not found' } };

describe('servers with missing or invalid lists', () => {
  it.each([
    'prompts/list',
    'resources/list',
    'resources/templates/list',
    'resources/list,resources/templates/list,prompts/list',
  ])('[PB-LIST-1] the command lists the tools of a server that never answers %s', async (silent) => {
    const lists = Object.fromEntries(silent.split(',').map((method) => [method, 'silent']));
    await using aggregator = await startAggregator({ mcpServers: { a: odd(lists) } });
    const { tools } = await aggregator.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['a:ask']);
  });

  it.each([
    ['empty', {}],
    ['null', null],
    ["PHP's empty list", []],
    ['null for each list', { tools: null, prompts: null }],
  ])(
    '[PB-LIST-1] the command lists the tools of a server whose capabilities are %s',
    async (_, capabilities) => {
      await using aggregator = await startAggregator({ mcpServers: { a: odd({}, { capabilities }) } });
      const { tools } = await aggregator.client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['a:ask']);
    },
  );

  it('[NFR-R3] are reported over REST as in the status, and only a refusal counts as degraded', async () => {
    await using hub = await startHub({
      missing: odd({ 'resources/list': missing, 'resources/templates/list': missing }),
      refused: odd({ 'prompts/list': refused }),
      bare: odd({ 'tools/list': { tools: null } }, { capabilities: { tools: {} } }),
    });
    const rest = await restOf(hub);
    await eventually(async () => {
      const { body } = await rest('GET', '/api/v1/aggregator/servers');
      expect(body.servers).toMatchObject([
        {
          name: 'missing',
          status: 'CONNECTED',
          tool_count: 1,
          status_reason: 'The server declares resources, but refuses resources/list: Method not found.',
        },
        {
          name: 'refused',
          status: 'DEGRADED',
          tool_count: 1,
          status_reason: expect.stringMatching(/The disk is on fire.*prompts\/list/),
        },
        { name: 'bare', status: 'CONNECTED', tool_count: 0, status_reason: 'bare lists no tools.' },
      ]);
    });
    for (const { name, status_reason = '' } of (await rest('GET', '/api/v1/aggregator/servers')).body
      .servers) {
      const { warnings } = hub.server(name);
      expect(status_reason).toBe(warnings.map(({ sentence }) => sentence).join(' '));
    }
  });

  it.each([
    ['is silent', 'silent'],
    ['is refused', refused],
  ])('[PB-CFG-1] a changed entry takes over although a list of it %s', async (_, answer) => {
    const entry = (revision: string) => ({ a: odd({ 'prompts/list': answer }, { revision }) });
    await using hub = await startHub(entry('one'));
    await using client = await hub.bridge();
    await eventually(async () => expect(await namesOf(client)).toEqual(['a__ask']));
    expect(textOf(await client.callTool({ name: 'a__ask' }))).toBe('answer one');
    await writeFile(hub.file, configText(entry('two')));
    await eventually(async () => {
      expect(textOf(await client.callTool({ name: 'a__ask' }))).toBe('answer two');
    });
    expect(hub.server('a').update).not.toMatchObject({ kind: 'failed' });
  });

  it('[NFR-R3] [PB-PASS-1] are listed and called by a client on the official SDK, and reach others as they are', async () => {
    const tools = [
      { name: 'ask', title: null, inputSchema: null, annotations: { readOnlyHint: null } },
      { name: 'plain', inputSchema: { type: 'object' } },
    ];
    const result = {
      content: [{ type: 'text', text: 'ran', annotations: null }],
      isError: null,
      _meta: null,
    };
    const config = { mcpServers: { a: odd({ 'tools/list': { tools }, 'tools/call': result }) } };
    await using strict = await startAggregator(config, { clientName: 'claude-code' });
    const listed = await strict.client.listTools();
    expect(listed.tools).toEqual([
      { name: 'a:ask', inputSchema: { type: 'object' }, annotations: {} },
      { name: 'a:plain', inputSchema: { type: 'object' } },
    ]);
    for (const { name } of listed.tools)
      expect(await strict.client.callTool({ name })).toEqual({ content: [{ type: 'text', text: 'ran' }] });
    await using other = await startAggregator(config, { clientName: 'something-else' });
    const raw = await other.client.request({ method: 'tools/list' }, z.looseObject({}));
    expect(raw.tools).toEqual(tools.map((tool) => ({ ...tool, name: `a:${tool.name}` })));
  });
});

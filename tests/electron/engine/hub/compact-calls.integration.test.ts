import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ProgressCallback } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it } from 'vitest';
import type { ApprovalAnswer, Effect } from '../../../../shared/model/access/access.ts';
import type { AuditRow } from '../../../../shared/model/activity/audit.ts';
import { eventually } from '../../../helper/eventually.ts';
import { fixture, nodeEntry } from '../../../helper/programs.ts';
import {
  type Hub,
  identityNamed,
  isConnected,
  namesOf,
  progressOf,
  startHub,
  textOf,
} from '../../../helper/running-hub.ts';

const servers = { a: nodeEntry(fixture('asks-back')), e: nodeEntry(fixture('echo')) };
const own = ['search_tools', 'describe_tool', 'call_tool'];

/** A hub where the client `cursor` is in compact mode. */
async function startCompact(): Promise<Hub> {
  const compact = { cursor: { direct: 0, pinned: [] } };
  const profiles = JSON.stringify({ version: 1, profiles: {}, compact });
  const hub = await startHub(servers, { audit: true, files: { 'profiles.json': profiles } });
  for (const key of Object.keys(servers)) await isConnected(hub, key);
  return hub;
}

/** Calls a tool through `call_tool`. */
function through(client: Client, name: string, args = {}, onprogress: ProgressCallback = () => {}) {
  const params = { name: 'call_tool', arguments: { name, arguments: args } };
  return client.callTool(params, undefined, { onprogress }).then(textOf);
}

async function found(client: Client, query: string): Promise<string> {
  const params = { name: 'search_tools', arguments: { query, limit: 50 } };
  return textOf(await client.callTool(params)) ?? '';
}

async function grant(hub: Hub, effect: Effect, tool: string): Promise<void> {
  await eventually(() => expect(identityNamed(hub, 'client', 'cursor')).toBeDefined());
  const identityId = identityNamed(hub, 'client', 'cursor')?.id ?? '';
  await hub.engine.run('access.grant', { identityId, effect, scope: { kind: 'tool', serverKey: 'a', tool } });
}

describe('a call through call_tool', () => {
  it('[PB-SMART-1] [REQ-MCP-AUTH-003] of a tool that needs approval waits, says so, and follows the decision', async () => {
    await using hub = await startCompact();
    await using client = await hub.bridge('cursor');
    await grant(hub, 'ask', 'pid');
    const { engine } = hub;
    const answer = (answer: ApprovalAnswer) =>
      engine.run('access.answer', { approvalId: engine.approvals()[0]?.id ?? '', answer }, 'me');
    const told: (string | undefined)[] = [];
    const first = through(client, 'a__pid', {}, ({ message }) => void told.push(message));
    await eventually(() => expect(engine.approvals()).toMatchObject([{ serverKey: 'a', tool: 'pid' }]));
    await eventually(() => expect(told).toEqual(['Waiting for approval of a:pid in Patchbay…']));
    await answer('once');
    expect(Number(await first)).toBeGreaterThan(0);
    const second = through(client, 'a__pid').catch((error) => error);
    await eventually(() => expect(engine.approvals()).toHaveLength(1));
    await answer('deny');
    expect(await second).toMatchObject({ code: -31022, data: { code: 'call.approval_denied' } });
  });

  it('[PB-SMART-1] [AG-US4-AC4] reports its progress, and is in the audit log as a call of the actual tool', async () => {
    await using hub = await startCompact();
    await using client = await hub.bridge('cursor');
    const { heard, _meta } = progressOf(client);
    const params = { name: 'a__ask', arguments: { milliseconds: 50 } };
    await client.callTool({ name: 'call_tool', arguments: params, _meta });
    await eventually(() => expect(heard).toEqual([{ progress: 1 }]));
    const { rows } = await hub.engine.run('audit.query', { kinds: ['invocation'], limit: 10 });
    expect(rows).toMatchObject([{ serverKey: 'a', tool: 'ask', method: 'tools/call', outcome: 'ok' }]);
    expect(rows[0]?.actor).toMatch(/cursor/i);
  });

  it('[PB-SMART-1] [REQ-MCP-AUTH-001] of a denied tool is refused and logged; the tool is neither found nor described', async () => {
    await using hub = await startCompact();
    await using client = await hub.bridge('cursor');
    expect(await found(client, 'pid')).toContain('a__pid');
    await grant(hub, 'deny', 'pid');
    await eventually(async () => expect(await found(client, 'pid')).not.toContain('a__pid'));
    expect(await found(client, '')).toContain('a__ask');
    await expect(through(client, 'a__pid')).rejects.toMatchObject({ data: { code: 'call.not_allowed' } });
    const described = client.callTool({ name: 'describe_tool', arguments: { name: 'a__pid' } });
    await expect(described).rejects.toMatchObject({ data: { code: 'call.unknown_tool' } });
    await expect(client.callTool({ name: 'a__pid', arguments: {} })).rejects.toThrow('A rule denies a:pid.');
    const { rows } = await hub.engine.run('audit.query', { kinds: ['invocation'], limit: 10 });
    const told = ({ actor, tool, outcome, text, paramsHash }: AuditRow) =>
      [actor, tool, outcome, text, paramsHash].join();
    expect(rows).toHaveLength(2);
    expect(rows[0]?.outcome).not.toBe('ok');
    expect(rows.map(told)[1]).toBe(rows.map(told)[0]);
  });
});

describe('a URL that asks for compact mode', () => {
  it('[PB-SMART-1] gets it only with compact=1, whatever its client, and calls through it', async () => {
    await using hub = await startCompact();
    const overHttp = async (query: string) => {
      const { url, token } = hub.engine.connection();
      const headers = { authorization: `Bearer ${token}` };
      const transport = new StreamableHTTPClientTransport(new URL(url + query), { requestInit: { headers } });
      const client = new Client({ name: 'elsewhere', version: '1' });
      await client.connect(transport as Transport);
      return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
    };
    await using short = await overHttp('?compact=1');
    expect(await namesOf(short)).toEqual(own);
    expect(await through(short, 'e__echo', { a: 1 })).toBe('{"a":1}');
    expect(hub.engine.clients()).toMatchObject([{ name: 'elsewhere', compact: 'entry', listedTools: 3 }]);
    await using whole = await overHttp('');
    expect(await namesOf(whole)).toEqual(expect.arrayContaining(['a__ask', 'a__pid', 'e__echo']));
  });
});

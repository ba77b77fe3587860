import { describe, expect, it } from 'vitest';
import {
  accessCell,
  cellSentence,
  identityAccessList,
  ownGrant,
  partsOf,
  serverVerdict,
  toolVerdict,
} from '../../../renderer/lib/access-cell.ts';
import type { AccessView, Grant, Identity } from '../../../shared/model/access.ts';
import { aTool } from '../helper/sample-views.ts';

const identity = (id: string, more: Partial<Identity> = {}): Identity => ({
  id,
  kind: 'agent',
  name: id,
  createdAt: 0,
  hasToken: false,
  ...more,
});

let last = 0;
const grant = (effect: Grant['effect'], scope: Grant['scope'], more: Partial<Grant> = {}): Grant => ({
  id: `g${++last}`,
  identityId: 'a',
  effect,
  scope,
  grantedAt: 0,
  grantedBy: 'a test',
  ...more,
});

const tools = ['read', 'list', 'write'].map((name) => aTool('s', name));

function standing(grants: readonly Grant[], more: Partial<AccessView> = {}) {
  const [first] = identityAccessList({
    identities: [identity('a')],
    grants,
    tokens: [],
    newClients: 'everything',
    askDestructive: false,
    ...more,
  });
  if (first === undefined) throw new Error('nobody');
  return first;
}

describe('[REQ-MCP-AUTH-001] a cell of the matrix', () => {
  it('counts what is asked about by the general rule about destructive tools', () => {
    const all = standing([grant('allow', { kind: 'all' })], { askDestructive: true });
    expect(accessCell(all, 's', tools, 0)).toMatchObject({
      kind: 'partly',
      counts: { allow: 2, ask: 1, deny: 0 },
    });
  });

  it('is denied by nothing, and says whether a rule of its own decides', () => {
    expect(accessCell(standing([]), 's', tools, 0)).toEqual({
      kind: 'deny',
      counts: { allow: 0, ask: 0, deny: 3 },
      own: false,
    });
    const all = standing([grant('ask', { kind: 'all' })]);
    expect(accessCell(all, 's', tools, 0)).toMatchObject({ kind: 'ask', own: false });
    const own = standing([grant('allow', { kind: 'server', serverKey: 's' })]);
    expect(accessCell(own, 's', tools, 0)).toMatchObject({ kind: 'allow', own: true });
    expect(accessCell(own, 'other', tools, 0)).toMatchObject({ kind: 'deny', own: false });
  });

  it('counts tools where rules make a difference between them', () => {
    const mixed = standing([
      grant('allow', { kind: 'all' }),
      grant('ask', { kind: 'tool', serverKey: 's', tool: 'list' }),
      grant('deny', { kind: 'risk', risk: 'high' }),
    ]);
    expect(accessCell(mixed, 's', tools, 0)).toEqual({
      kind: 'partly',
      counts: { allow: 1, ask: 1, deny: 1 },
      own: true,
    });
  });

  it('tells those that only ask apart from those that are allowed', () => {
    const mixed = standing([
      grant('allow', { kind: 'all' }),
      grant('ask', { kind: 'tool', serverKey: 's', tool: 'list' }),
      grant('ask', { kind: 'tool', serverKey: 's', tool: 'write' }),
    ]);
    const cell = accessCell(mixed, 's', tools, 0);
    expect(partsOf(cell)).toEqual([
      ['allow', 1],
      ['ask', 2],
    ]);
    expect(cellSentence(cell)).toBe('1 allowed, 2 ask first by its own rule');
    const same = accessCell(standing([grant('ask', { kind: 'all' })]), 's', tools, 0);
    expect(cellSentence(same)).toBe('asks first by default');
  });

  it('stands for the whole server where no tool of it is known, and has none for whom is revoked', () => {
    const tool = standing([grant('allow', { kind: 'tool', serverKey: 's', tool: 'read' })]);
    expect(accessCell(tool, 's', [], 0).kind).toBe('deny');
    const revoked = standing([grant('allow', { kind: 'all' })], {
      identities: [identity('a', { revokedAt: 1 })],
    });
    expect(accessCell(revoked, 's', tools, 2).kind).toBe('deny');
  });

  it('follows what ends: a rule, and a permission for a while', () => {
    const ending = standing([
      grant('deny', { kind: 'pattern', pattern: 's:*' }, { expiresAt: 5 }),
      grant('allow', { kind: 'all' }),
    ]);
    expect(accessCell(ending, 's', tools, 4).kind).toBe('deny');
    expect(accessCell(ending, 's', tools, 5).kind).toBe('allow');
    const token = { tokenId: 't', identityId: 'a', serverKey: 's', tool: 'read', createdAt: 0, expiresAt: 9 };
    const asking = standing([grant('ask', { kind: 'all' })], { tokens: [token] });
    expect(accessCell(asking, 's', tools, 1)).toMatchObject({ kind: 'partly', counts: { allow: 1, ask: 2 } });
    expect(accessCell(asking, 's', tools, 9)).toMatchObject({ kind: 'ask' });
  });

  it('agrees with what is decided tool by tool, and knows the rule to change', () => {
    const server = grant('allow', { kind: 'server', serverKey: 's' });
    const tool = grant('deny', { kind: 'tool', serverKey: 's', tool: 'write' });
    const both = standing([server, tool]);
    expect(serverVerdict(both, 's', 0).effect).toBe('allow');
    expect(tools.map((one) => toolVerdict(both, one, 0).effect)).toEqual(['allow', 'allow', 'deny']);
    expect([ownGrant(both, 's'), ownGrant(both, 's', 'write'), ownGrant(both, 's', 'read')]).toEqual([
      server,
      tool,
      undefined,
    ]);
  });

  it('lists clients before agents, each by name', () => {
    const view = identityAccessList({
      identities: [identity('b10'), identity('b9'), identity('z', { kind: 'client' })],
      grants: [],
      tokens: [],
      newClients: 'ask',
      askDestructive: false,
    });
    expect(view.map((one) => one.identity.id)).toEqual(['z', 'b9', 'b10']);
  });
});

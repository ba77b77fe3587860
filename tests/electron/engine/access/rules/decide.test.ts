import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { riskOf } from '../../../../../electron/engine/access/rules/risk.ts';
import type { Grant, Identity, ToolToken } from '../../../../../shared/model/access/access.ts';
import { decide, type RequestedTool } from '../../../../../shared/model/access/access-decision.ts';
import { reasonOf } from '../../../../../shared/model/access/access-text.ts';
import { matchesGlob } from '../../../../../shared/model/access/glob.ts';
import { aGrant } from '../../../../helper/access.ts';

const agent: Identity = { id: 'i', kind: 'agent', name: 'a', createdAt: 0, hasToken: true };
const write = { serverKey: 'fs', name: 'write', risk: 'high' as const };
const token: ToolToken = {
  tokenId: 't',
  identityId: 'i',
  serverKey: 'fs',
  tool: 'write',
  createdAt: 0,
  expiresAt: 100,
};

const everything = aGrant({ id: 'all' });
const server = aGrant({ id: 'server', scope: { kind: 'server', serverKey: 'fs' } });
const risky = aGrant({ id: 'risk', scope: { kind: 'risk', risk: 'high' } });
const pattern = aGrant({ id: 'pattern', scope: { kind: 'pattern', pattern: 'fs:w*' } });
const tool = aGrant({ id: 'tool', scope: { kind: 'tool', serverKey: 'fs', tool: 'write' } });

function judged(grants: readonly Grant[], now = 50, tokens: readonly ToolToken[] = [], identity = agent) {
  const { effect, code, grant } = decide(identity, grants, tokens, write, now);
  return [effect, code, ...(grant === undefined ? [] : [grant.id])];
}

describe('a decision about a call', () => {
  it('[REQ-MCP-AUTH-001] [REQ-MCP-AUTH-003] is a refusal if nothing was granted', () => {
    expect(judged([])).toEqual(['deny', 'no_grant']);
    const others = [
      aGrant({ scope: { kind: 'server', serverKey: 'web' } }),
      aGrant({ scope: { kind: 'tool', serverKey: 'fs', tool: 'read' } }),
      aGrant({ scope: { kind: 'pattern', pattern: '*:read*' } }),
      aGrant({ scope: { kind: 'risk', risk: 'low' } }),
    ];
    expect(judged(others)).toEqual(['deny', 'no_grant']);
  });

  it.each([
    ['everything', everything],
    ['its server', server],
    ['its risk', risky],
    ['its pattern', pattern],
    ['the tool', tool],
  ])('[REQ-MCP-AUTH-001] is a permission by a grant of %s', (_about, grant) => {
    expect(judged([grant])).toEqual(['allow', 'granted', grant.id]);
  });

  it('[REQ-MCP-AUTH-001] follows the most specific grant', () => {
    const ordered = [everything, server, risky, pattern, tool];
    for (const [index, grant] of ordered.entries()) {
      const before = ordered.slice(0, index).map((one): Grant => ({ ...one, effect: 'ask' }));
      expect(judged([grant, ...before])).toEqual(['allow', 'granted', grant.id]);
    }
  });

  it('[REQ-MCP-AUTH-001] asks if two equal grants differ, and denies if any grant denies', () => {
    const asks = aGrant({ id: 'asks', effect: 'ask', scope: { kind: 'pattern', pattern: '*:write' } });
    expect(judged([pattern, asks])).toEqual(['ask', 'asks', 'asks']);
    const denies = aGrant({ id: 'no', effect: 'deny' });
    expect(judged([tool, denies, server])).toEqual(['deny', 'denied', 'no']);
  });

  it('[REQ-MCP-AUTH-003] ends with its grant, its token and its identity, to the millisecond', () => {
    const short = aGrant({ expiresAt: 51 });
    expect(judged([short], 50)).toEqual(['allow', 'granted', 'g']);
    expect(judged([short], 51)).toEqual(['deny', 'no_grant', 'g']);
    expect(reasonOf(decide(agent, [short], [], write, 51))).toBe('The rule for everything has ended.');
    expect(judged([aGrant({ effect: 'deny', expiresAt: 51 })], 51)).toEqual(['deny', 'no_grant']);
    const needing = aGrant({ ...tool, needsToken: true });
    expect(judged([needing])).toEqual(['deny', 'token_needed', 'tool']);
    expect(judged([needing], 99, [token])).toEqual(['allow', 'granted_with_token', 'tool']);
    expect(judged([needing], 100, [token])).toEqual(['deny', 'token_needed', 'tool']);
    expect(judged([everything], 50, [], { ...agent, expiresAt: 50 })).toEqual(['deny', 'identity_expired']);
    expect(judged([everything], 50, [], { ...agent, revokedAt: 1 })).toEqual(['deny', 'identity_revoked']);
  });

  it('[REQ-MCP-AUTH-003] allows if a grant asks and a token for this tool is valid', () => {
    const asks = aGrant({ effect: 'ask' });
    expect(judged([asks])).toEqual(['ask', 'asks', 'g']);
    expect(judged([asks], 50, [token])).toEqual(['allow', 'granted_with_token', 'g']);
    expect(reasonOf(decide(agent, [asks], [token], write, 50))).toMatch(/^Allowed temporarily/);
    expect(judged([asks], 50, [{ ...token, tool: 'read' }])).toEqual(['ask', 'asks', 'g']);
    const denies = aGrant({ id: 'no', effect: 'deny', scope: server.scope });
    expect(judged([asks, denies], 50, [token])).toEqual(['deny', 'denied', 'no']);
  });

  it('[REQ-MCP-AUTH-001] falls back to a wider grant if the narrow one needs a token', () => {
    expect(judged([server, aGrant({ ...tool, needsToken: true })])).toEqual(['allow', 'granted', 'server']);
  });
});

describe('how risky a tool is', () => {
  it.each([
    ['read_file', undefined, 'low'],
    ['write_file', undefined, 'high'],
    ['DeleteAll', undefined, 'high'],
    ['createIssue', { readOnlyHint: true }, 'low'],
    ['list', { destructiveHint: true }, 'high'],
    ['list', { destructiveHint: true, readOnlyHint: true }, 'low'],
    ['update_row', { destructiveHint: false }, 'high'],
    ['list', 'nonsense', 'low'],
  ])('[REQ-MCP-AUTH-003] %s with annotations %j is %s', (name, annotations, risk) => {
    expect(riskOf(name, annotations === undefined ? undefined : { name, annotations })).toBe(risk);
  });
});

const meanings = new Map([
  ['*', '.*'],
  ['?', '.'],
  ['.', '\\.'],
]);

describe('a pattern', () => {
  it('[REQ-MCP-AUTH-001] matches like the equivalent regular expression', () => {
    const part = fc.constantFrom('*', '?', 'a', 'b', ':', '.');
    const text = fc
      .array(fc.constantFrom('a', 'b', ':', '.'), { maxLength: 8 })
      .map((letters) => letters.join(''));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 7 }), text, (parts, asked) => {
        const source = parts.map((one) => meanings.get(one) ?? one).join('');
        expect(matchesGlob(parts.join(''), asked)).toBe(new RegExp(`^${source}$`, 's').test(asked));
      }),
      { numRuns: 2_000 },
    );
  });

  it('[REQ-MCP-AUTH-001] is fast, however many stars it has', () => {
    expect(matchesGlob(`${'*a'.repeat(200)}b`, 'a'.repeat(5_000))).toBe(false);
  });
});

describe('the general rule about destructive tools', () => {
  const judge = (
    grants: readonly Grant[],
    asked: RequestedTool = write,
    tokens: readonly ToolToken[] = [],
  ) => {
    const { effect, code } = decide(agent, grants, tokens, asked, 50, true);
    return [effect, code];
  };

  it('[REQ-MCP-AUTH-003] asks only if nothing more specific than a grant of everything allows', () => {
    expect(judge([everything])).toEqual(['ask', 'asks_destructive']);
    expect(judge([everything], { ...write, risk: 'low' })).toEqual(['allow', 'granted']);
    expect(decide(agent, [everything], [], write, 50).effect).toBe('allow');
  });

  it.each([
    { kind: 'server', serverKey: 'fs' },
    { kind: 'tool', serverKey: 'fs', tool: 'write' },
    { kind: 'pattern', pattern: 'fs:*' },
    { kind: 'risk', risk: 'high' },
  ] as const)('[REQ-MCP-AUTH-003] stands below a rule of the client itself: $kind', (scope) => {
    expect(judge([everything, aGrant({ id: 'own', effect: 'allow', scope })])[0]).toBe('allow');
    expect(judge([everything, aGrant({ id: 'own', effect: 'deny', scope })])[0]).toBe('deny');
  });

  it('[REQ-MCP-AUTH-003] grants nothing by itself, and a token of the tool answers it', () => {
    expect(judge([])).toEqual(['deny', 'no_grant']);
    expect(judge([everything], write, [token])[0]).toBe('allow');
  });
});

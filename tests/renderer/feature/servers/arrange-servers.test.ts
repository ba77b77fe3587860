import { describe, expect, it } from 'vitest';
import {
  arrangeServers,
  countByFilter,
  nextSort,
  plainArrangement,
  tagsOf,
} from '../../../../renderer/feature/servers/list/arrange-servers.ts';
import { serverStatuses } from '../../../../shared/model/server/server.ts';
import { attentionCount } from '../../../../shared/model/server/server-look.ts';
import { aServer } from '../../helper/sample-views.ts';

const servers = [
  aServer('zeta', { connectedAt: 100, counts: { tools: 5, disabledTools: 0, resources: 0, prompts: 0 } }),
  aServer('alpha', { status: 'error', restarts: 3 }),
  aServer('mid', { status: 'disabled', enabled: false, target: 'uvx postgres' }),
  aServer('beta', { status: 'connecting', connectedAt: 50 }),
];

const keys = (change: Partial<typeof plainArrangement>, usage = {}) =>
  arrangeServers(servers, { ...plainArrangement, ...change }, usage).map((server) => server.key);

describe('the list of servers', () => {
  it('puts failures first, then favorites, then file order', () => {
    expect(keys({})).toEqual(['alpha', 'zeta', 'mid', 'beta']);
    expect(keys({ sort: 'file' })).toEqual(['zeta', 'alpha', 'mid', 'beta']);
    const some = [
      ...servers,
      aServer('dear', { favorite: true }),
      aServer('dear-down', { favorite: true, status: 'error' }),
    ];
    const order = (sort: 'failures' | 'file') =>
      arrangeServers(some, { ...plainArrangement, sort }, {}).map(({ key }) => key);
    expect(order('failures')).toEqual(['dear-down', 'alpha', 'dear', 'zeta', 'mid', 'beta']);
    expect(order('file')).toEqual(['dear', 'dear-down', 'zeta', 'alpha', 'mid', 'beta']);
  });

  it('filters by tag, and finds servers by tag', () => {
    const some = [aServer('a', { tags: ['work', 'data'] }), aServer('b', { tags: ['home'] }), aServer('c')];
    const shown = (change: Partial<typeof plainArrangement>) =>
      arrangeServers(some, { ...plainArrangement, ...change }, {}).map(({ key }) => key);
    expect(shown({ tag: 'work' })).toEqual(['a']);
    expect(shown({ query: 'home' })).toEqual(['b']);
    expect(tagsOf(some)).toEqual(['data', 'home', 'work']);
  });

  it('puts each server into exactly one of running, needs attention and off', () => {
    const problem = { code: 'server.unreachable', sentence: '', fix: '', evidence: [] } as const;
    const some = [
      ...serverStatuses.map((status) => aServer(status, { status, enabled: status !== 'disabled' })),
      aServer('asleep', { status: 'disconnected', asleep: { since: 0 } }),
      aServer('retrying', { status: 'disconnected', problem }),
      aServer('held', { heldTools: { waiting: 2, blocked: 0 } }),
      aServer('off-and-held', { enabled: false, heldTools: { waiting: 2, blocked: 0 } }),
    ];
    const { all, running, attention, off } = countByFilter(some);
    expect(running + attention + off).toBe(all);
    expect({ attention, off }).toEqual({ attention: 5, off: 2 });
    expect(attentionCount(some)).toBe(attention);
  });

  it.each([
    ['name', false, ['alpha', 'beta', 'mid', 'zeta']],
    ['status', false, ['alpha', 'beta', 'zeta', 'mid']],
    ['tools', true, ['zeta', 'alpha', 'mid', 'beta']],
    ['restarts', true, ['alpha', 'zeta', 'mid', 'beta']],
    ['uptime', true, ['beta', 'zeta', 'alpha', 'mid']],
  ] as const)('sorts by %s (descending: %s)', (sort, descending, expected) => {
    expect(keys({ sort, descending })).toEqual(expected);
  });

  it('sorts by sampled memory and CPU', () => {
    const usage = {
      beta: { key: 'beta', memory: 9, cpu: 0, processes: [] },
      mid: { key: 'mid', memory: 0, cpu: 4, processes: [] },
    };
    expect(keys({ sort: 'memory', descending: true }, usage)[0]).toBe('beta');
    expect(keys({ sort: 'cpu', descending: true }, usage)[0]).toBe('mid');
  });

  it('[PB-DEMAND-1] distinguishes a sleeping server from one that is down', () => {
    const asleep = aServer('lazy', { status: 'disconnected', asleep: { since: 0 } });
    const down = aServer('down', { status: 'disconnected' });
    const some = [asleep, down];
    expect(countByFilter(some)).toMatchObject({ all: 2, running: 2, asleep: 1, attention: 0 });
    const sorted = arrangeServers(some, { ...plainArrangement, sort: 'status' }, {});
    expect(sorted.map(({ key }) => key)).toEqual(['down', 'lazy']);
  });

  it('searches name and command, and filters by status', () => {
    expect(keys({ query: 'postgres' })).toEqual(['mid']);
    expect(keys({ filter: 'attention' })).toEqual(['alpha']);
    expect(keys({ filter: 'off' })).toEqual(['mid']);
    expect(countByFilter(servers)).toEqual({ all: 4, running: 2, asleep: 0, attention: 1, off: 1 });
  });

  it('cycles from a column’s natural direction to the reverse and back to failures first', () => {
    const first = nextSort(plainArrangement, 'tools');
    const second = nextSort(first, 'tools');
    expect(first).toMatchObject({ sort: 'tools', descending: true });
    expect(second).toMatchObject({ sort: 'tools', descending: false });
    expect(nextSort(second, 'tools')).toMatchObject({ sort: 'failures' });
    expect(nextSort(plainArrangement, 'name')).toMatchObject({ descending: false });
  });
});

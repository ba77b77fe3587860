import { describe, expect, it } from 'vitest';
import {
  arrangeServers,
  countByFilter,
  nextSort,
  plainArrangement,
} from '../../../../renderer/feature/servers/list/arrange-servers.ts';
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
  it('keeps the order of the file unless told otherwise', () => {
    expect(keys({})).toEqual(['zeta', 'alpha', 'mid', 'beta']);
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

  it('sorts by memory and processor time as they are sampled', () => {
    const usage = {
      beta: { key: 'beta', memory: 9, cpu: 0, processes: [] },
      mid: { key: 'mid', memory: 0, cpu: 4, processes: [] },
    };
    expect(keys({ sort: 'memory', descending: true }, usage)[0]).toBe('beta');
    expect(keys({ sort: 'cpu', descending: true }, usage)[0]).toBe('mid');
  });

  it('[PB-DEMAND-1] tells one that sleeps from one that is down', () => {
    const asleep = aServer('lazy', { status: 'disconnected', asleep: { since: 0 } });
    const down = aServer('down', { status: 'disconnected' });
    const some = [asleep, down];
    expect(countByFilter(some)).toMatchObject({ all: 2, running: 0, asleep: 1, attention: 0 });
    const sorted = arrangeServers(some, { ...plainArrangement, sort: 'status' }, {});
    expect(sorted.map(({ key }) => key)).toEqual(['down', 'lazy']);
  });

  it('searches name and command, and filters by state', () => {
    expect(keys({ query: 'postgres' })).toEqual(['mid']);
    expect(keys({ filter: 'attention' })).toEqual(['alpha']);
    expect(keys({ filter: 'off' })).toEqual(['mid']);
    expect(countByFilter(servers)).toEqual({ all: 4, running: 2, asleep: 0, attention: 1, off: 1 });
  });

  it('goes from a column’s natural direction to the other and back to the file', () => {
    const first = nextSort(plainArrangement, 'tools');
    const second = nextSort(first, 'tools');
    expect(first).toMatchObject({ sort: 'tools', descending: true });
    expect(second).toMatchObject({ sort: 'tools', descending: false });
    expect(nextSort(second, 'tools')).toMatchObject({ sort: 'file' });
    expect(nextSort(plainArrangement, 'name')).toMatchObject({ descending: false });
  });
});

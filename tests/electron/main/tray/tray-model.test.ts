import { describe, expect, it } from 'vitest';
import { trayModel } from '../../../../electron/main/tray/tray-model.ts';
import type { TrayInput, TrayItem, TrayState } from '../../../../electron/main/tray/tray-types.ts';
import type { ApprovalRequest } from '../../../../shared/model/access/access.ts';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import { clientView, hubView, serverView, someProblem } from '../../../helper/views.ts';

const noProfiles = { profiles: [], clients: {} };

function input(changes: Partial<TrayInput> = {}): TrayInput {
  return {
    hub: hubView(),
    phase: 'running',
    servers: [],
    clients: [],
    connect: [],
    approvals: [],
    update: { kind: 'current' },
    profiles: noProfiles,
    ...changes,
  };
}

function flat(items: readonly TrayItem[]): readonly TrayItem[] {
  return items.flatMap((item) => (item.kind === 'submenu' ? [item, ...flat(item.items)] : [item]));
}

function find(changes: Partial<TrayInput>, id: string): TrayItem | undefined {
  return flat(trayModel(input(changes)).items).find((item) => item.id === id);
}

function labels(changes: Partial<TrayInput>): readonly string[] {
  return flat(trayModel(input(changes)).items).flatMap((item) => ('label' in item ? [item.label] : ['---']));
}

const off = (key: string) => serverView(key, { enabled: false, status: 'disabled' });
const asleep = (key: string) => serverView(key, { status: 'disconnected', asleep: { since: 1 } });
const failed = (key: string) => serverView(key, { status: 'error', problem: someProblem('server.crashed') });

const waiting: ApprovalRequest = {
  id: 'w',
  identityId: 'i',
  clientName: 'cursor',
  serverKey: 'fs',
  tool: 'write',
  risk: 'high',
  argumentsText: '{}',
  askedAt: 1,
  expiresAt: 2,
  behind: 2,
};

describe('a server with a display name', () => {
  it('[PB-TRAY-1] is shown by it, and acted on by its key', () => {
    const servers = [
      serverView('my-files', { title: 'My Files', status: 'error', problem: someProblem('server.crashed') }),
    ];
    expect(labels({ servers }).filter((label) => label.includes('my-files'))).toEqual([]);
    expect(find({ servers }, 'server:my-files')).toMatchObject({
      label: expect.stringContaining('My Files'),
      action: { kind: 'run', operation: 'server.setEnabled', input: { key: 'my-files' } },
    });
  });
});

describe('calls that wait for approval', () => {
  it('[PB-TRAY-1] [REQ-MCP-AUTH-003] come first, all of them in one line that opens them', () => {
    const changes = { servers: [serverView('a')], approvals: [waiting, { ...waiting, id: 'v', behind: 0 }] };
    const model = trayModel(input(changes));
    expect([model.state, model.tooltip]).toEqual(['attention', 'Patchbay: 4 calls need approval']);
    expect(find(changes, 'attention:approvals')).toMatchObject({
      label: '4 calls need approval',
      action: { kind: 'show-approvals' },
    });
    const one = { approvals: [{ ...waiting, behind: 0 }] };
    expect(find(one, 'attention:approvals')).toMatchObject({ label: '1 call needs approval' });
  });
});

describe('the tray icon', () => {
  it.each<[string, Partial<TrayInput>, TrayState]>([
    ['nothing is configured', {}, 'off'],
    ['all is turned off', { servers: [off('a'), off('b')] }, 'off'],
    ['all is well', { servers: [serverView('a'), off('b')] }, 'ok'],
    ['all that is wanted sleeps', { servers: [asleep('a'), off('b')] }, 'ok'],
    [
      'one still uses its old config',
      {
        servers: [
          serverView('a', { update: { kind: 'failed', at: 1, problem: someProblem('server.crashed') } }),
        ],
      },
      'attention',
    ],
    [
      'one holds changed tools',
      { servers: [serverView('a', { heldTools: { waiting: 1, blocked: 0 } })] },
      'attention',
    ],
    [
      'one keeps tools away, as decided',
      { servers: [serverView('a', { heldTools: { waiting: 0, blocked: 1 } })] },
      'ok',
    ],
    ['a server still connects', { servers: [serverView('a', { status: 'connecting' })] }, 'ok'],
    ['one of two fails', { servers: [serverView('a'), failed('b')] }, 'attention'],
    ['the only one is degraded', { servers: [serverView('b', { status: 'degraded' })] }, 'attention'],
    ['one is degraded', { servers: [serverView('a'), serverView('b', { status: 'degraded' })] }, 'attention'],
    [
      'one waits for a sign-in',
      { servers: [serverView('a'), serverView('b', { status: 'needs-auth' })] },
      'attention',
    ],
    [
      'a switched-off one has failed',
      { servers: [serverView('a'), { ...failed('b'), enabled: false }] },
      'ok',
    ],
    [
      'the hub has a problem',
      { servers: [serverView('a')], hub: hubView({ problems: [someProblem('hub.port_in_use')] }) },
      'attention',
    ],
    ['every wanted server fails', { servers: [failed('a'), off('b')] }, 'error'],
    ['the hub did not start', { phase: 'failed', servers: [] }, 'error'],
  ])('[PB-TRAY-1] when %s', (_case, changes, state) => {
    expect(trayModel(input(changes)).state).toBe(state);
  });
});

describe('the summary', () => {
  it.each<[Partial<TrayInput>, string]>([
    [{ phase: 'starting' }, 'starting…'],
    [{ phase: 'failed' }, 'not running'],
    [{}, 'no servers yet'],
    [{ servers: [off('a')] }, 'all servers turned off'],
    [{ servers: [serverView('a')] }, '1 of 1 server connected'],
    [{ servers: [serverView('a'), asleep('b')] }, '1 of 2 servers connected, 1 asleep'],
    [{ servers: [serverView('a'), failed('b'), off('c')] }, '1 of 2 servers connected, 1 needs attention'],
    [
      {
        servers: [serverView('a')],
        hub: hubView({ problems: [someProblem('hub.port_in_use'), someProblem('config.invalid_json')] }),
      },
      '1 of 1 server connected, 2 problems',
    ],
  ])('[PB-TRAY-1] says the overall state: case %#', (changes, text) => {
    const model = trayModel(input(changes));
    expect(model.items[0]).toEqual({ kind: 'text', id: 'summary', label: text });
    expect(model.tooltip).toBe(`Patchbay: ${text}`);
  });
});

describe('what needs attention', () => {
  it('[PB-TRAY-1] [PB-SAFE-1] includes quarantined tools, beside other problems of their server', () => {
    const held = { heldTools: { waiting: 3, blocked: 1 } };
    const server = serverView('gh', { ...held, status: 'degraded' });
    expect(find({ servers: [server] }, 'attention:held:gh')).toMatchObject({
      label: 'Review 3 changed tools of gh',
      action: { kind: 'review-tools', key: 'gh' },
    });
    expect(find({ servers: [server] }, 'attention:server:gh')).toBeDefined();
    const isOff = serverView('gh', { ...held, enabled: false, status: 'disabled' });
    expect(find({ servers: [isOff] }, 'attention:held:gh')).toBeUndefined();
  });

  it.each<[Partial<ServerView>, string, object]>([
    [
      { status: 'error', problem: someProblem('server.crashed') },
      'Try gh now (A sentence about server.crashed)',
      { kind: 'run', operation: 'server.restart', input: { key: 'gh' } },
    ],
    [
      { status: 'error', problem: someProblem('server.command_not_found') },
      'Open gh to fix (A sentence about server.command_not_found)',
      { kind: 'open-server', key: 'gh' },
    ],
    [
      { status: 'error', problem: someProblem('config.missing_env_var') },
      'Open gh to fix (A sentence about config.missing_env_var)',
      { kind: 'open-server', key: 'gh' },
    ],
    [
      { status: 'error', problem: someProblem('server.loop') },
      'Turn off gh (A sentence about server.loop)',
      { kind: 'run', operation: 'server.setEnabled', input: { key: 'gh', enabled: false } },
    ],
    [
      { status: 'needs-auth', auth: { signedIn: false, pending: false } },
      'Sign in to gh',
      { kind: 'sign-in', key: 'gh' },
    ],
    [
      { status: 'needs-auth', problem: someProblem('server.unauthorized') },
      'Open gh to fix (A sentence about server.unauthorized)',
      { kind: 'open-server', key: 'gh' },
    ],
    [
      { status: 'needs-auth', auth: { signedIn: false, pending: true } },
      'Sign in to gh (waiting for the browser)',
      { kind: 'sign-in', key: 'gh' },
    ],
    [
      { status: 'degraded' },
      'Restart gh',
      { kind: 'run', operation: 'server.restart', input: { key: 'gh' } },
    ],
    [
      { status: 'disconnected', problem: someProblem('server.unreachable') },
      'Try gh now (A sentence about server.unreachable)',
      { kind: 'run', operation: 'server.restart', input: { key: 'gh' } },
    ],
    [
      { update: { kind: 'failed', at: 1, problem: someProblem('server.exited_before_handshake') } },
      'See why gh still uses its old config (A sentence about server.exited_before_handshake)',
      { kind: 'open-server', key: 'gh' },
    ],
  ])('[PB-TRAY-1] comes with the verb that fixes it: case %#', (changes, label, action) => {
    expect(find({ servers: [serverView('gh', changes)] }, 'attention:server:gh')).toEqual({
      kind: 'action',
      id: 'attention:server:gh',
      label,
      enabled: true,
      action,
    });
  });

  it('[PB-TRAY-1] comes first, problems of the hub before those of servers', () => {
    const hub = hubView({ problems: [someProblem('hub.port_in_use')] });
    expect(labels({ hub, servers: [serverView('a'), failed('b')] }).slice(1, 5)).toEqual([
      '---',
      'Needs attention',
      'Choose another port (A sentence about hub.port_in_use)',
      'Try b now (A sentence about server.crashed)',
    ]);
  });

  it('[PB-TRAY-1] continues in a submenu after the fifth item', () => {
    const servers = Array.from({ length: 8 }, (_, index) => failed(`s${index}`));
    const shown = trayModel(input({ servers })).items.filter(({ id }) => id.startsWith('attention:'));
    expect(shown.map(({ kind }) => kind)).toEqual([...Array(5).fill('action'), 'submenu']);
    expect(shown.at(-1)).toMatchObject({ label: '3 more', items: { length: 3 } });
    expect(find({ servers }, 'attention:server:s7')).toBeDefined();
  });

  it('[PB-TRAY-1] is absent without problems, and for servers that are turned off or still starting', () => {
    const servers = [
      serverView('a'),
      { ...failed('b'), enabled: false },
      serverView('c', { status: 'connecting' }),
      { ...asleep('d'), problem: someProblem('server.crashed') },
    ];
    expect(labels({ servers })).not.toContain('Needs attention');
  });
});

describe('the servers', () => {
  it('[PB-TRAY-1] each have a switch that inverts their state', () => {
    const servers = [serverView('a'), off('b')];
    expect(find({ servers }, 'server:a')).toMatchObject({
      kind: 'switch',
      on: true,
      action: { input: { enabled: false } },
    });
    expect(find({ servers }, 'server:b')).toMatchObject({
      kind: 'switch',
      on: false,
      action: { input: { enabled: true } },
    });
  });

  it('[PB-TRAY-1] show in words what a checkbox does not', () => {
    const servers = [
      serverView('a'),
      serverView('b', { status: 'connecting' }),
      off('c'),
      asleep('d'),
      failed('e'),
      serverView('f', { status: 'needs-auth', problem: someProblem('server.key_needed') }),
    ];
    const names = servers.map(({ key }) => find({ servers }, `server:${key}`));
    expect(names.map((item) => item && 'label' in item && item.label)).toEqual([
      'a',
      'b (connecting)',
      'c',
      'd (asleep)',
      'e (failed)',
      'f (API key needed)',
    ]);
  });

  it('[PB-DEMAND-1] [PB-TRAY-1] can be woken individually if they sleep', () => {
    const servers = [serverView('a'), asleep('b'), off('c')];
    expect(find({ servers }, 'asleep')).toMatchObject({ kind: 'submenu', label: 'Asleep (1)' });
    expect(find({ servers }, 'wake:b')).toMatchObject({
      label: 'Wake b',
      action: { kind: 'run', operation: 'server.restart', input: { key: 'b' } },
    });
    expect(find({ servers: [serverView('a')] }, 'asleep')).toBeUndefined();
  });

  it.each([
    [[serverView('a'), serverView('b')], false, true],
    [[off('a'), off('b')], true, false],
    [[serverView('a'), off('b')], true, true],
  ])('[PB-TRAY-1] can all be switched at once: case %#', (servers, connect, disconnect) => {
    expect(find({ servers }, 'turn-on-all')).toMatchObject({ enabled: connect });
    expect(find({ servers }, 'turn-off-all')).toMatchObject({ enabled: disconnect });
  });

  it('[PB-TRAY-1] move into a submenu when they are many', () => {
    const servers = Array.from({ length: 40 }, (_, index) => serverView(`s${index}`));
    expect(find({ servers }, 'servers')).toMatchObject({ kind: 'submenu', label: 'Servers (40)' });
    expect(trayModel(input({ servers })).items.length).toBeLessThan(15);
  });

  it('[PB-TRAY-1] keep the menu narrow whatever their names', () => {
    const label = find({ servers: [serverView('x'.repeat(500))] }, `server:${'x'.repeat(500)}`);
    expect(label).toMatchObject({ label: `${'x'.repeat(47)}…` });
  });

  it('[PB-TRAY-1] are offered to be added while there are none', () => {
    expect(find({}, 'add-server')).toMatchObject({ action: { kind: 'command', id: 'add-server' } });
  });
});

describe('clients and commands', () => {
  it('[PB-TRAY-1] lists connected clients, their transport, and outdated lists', () => {
    const clients = [
      clientView('1', { name: 'claude-ai', title: 'Claude' }),
      clientView('2', { name: 'cursor', via: 'http', stale: true }),
      clientView('3', { name: '' }),
    ];
    expect(labels({ clients })).toEqual(
      expect.arrayContaining([
        '3 clients connected',
        'Claude via bridge',
        'Cursor via http (list out of date)',
        'Unnamed client via bridge',
      ]),
    );
    expect(labels({})).toContain('No clients connected');
  });

  it('[PB-TRAY-1] offers endpoint, window, settings and quit', () => {
    for (const id of ['copy-endpoint', 'open', 'open-settings', 'quit']) {
      expect(find({}, id)).toMatchObject({ kind: 'action', enabled: true, action: { kind: 'command', id } });
    }
  });

  it('[PB-TRAY-1] cannot copy an endpoint that is not served', () => {
    const { endpoint: _, ...hub } = hubView();
    expect(find({ hub }, 'copy-endpoint')).toMatchObject({ enabled: false });
  });

  it('[PB-TRAY-1] gives every item an id of its own', () => {
    const servers = [failed('a'), serverView('b'), off('c')];
    const ids = flat(trayModel(input({ servers, clients: [clientView('1')] })).items).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the profile of a client', () => {
  const profiles = { profiles: [{ name: 'coding', servers: {} }], clients: {} };
  const client = clientView('c1', {
    name: 'cursor-vscode',
    profile: { name: 'coding', isKnown: true, isAsked: false },
  });

  it('[PB-TRAY-1] is switched in its menu', () => {
    const menu = find({ clients: [client], profiles }, 'client:c1');
    expect(menu).toMatchObject({ kind: 'submenu', label: 'Cursor via bridge, coding' });
    expect(menu?.kind === 'submenu' && menu.items).toMatchObject([
      {
        kind: 'switch',
        label: 'Everything',
        on: false,
        action: { operation: 'profile.assign', input: { client: 'cursor-vscode' } },
      },
      { label: 'coding', on: true, action: { input: { client: 'cursor-vscode', profile: 'coding' } } },
    ]);
  });

  it('[PB-TRAY-1] is only shown if it cannot be changed', () => {
    const fixed = { ...client, profile: { name: 'coding', isKnown: true, isAsked: true } };
    expect(find({ clients: [fixed], profiles }, 'client:c1')?.kind).toBe('text');
    expect(find({ clients: [client] }, 'client:c1')?.kind).toBe('text');
  });
});

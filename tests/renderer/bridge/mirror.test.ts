import { describe, expect, it } from 'vitest';
import { createMirroring } from '../../../renderer/bridge/mirror.ts';
import { addPendingChange, settlePendingChange } from '../../../renderer/store/wish-store.ts';
import type { IpcAnswer, IpcOutput } from '../../../shared/ipc/contract.ts';
import { aClient, aServer, aTool } from '../helper/sample-views.ts';
import { refused, testModel } from '../helper/test-model.ts';

type Answer = IpcAnswer<'state.get'>;

const snapshot: IpcOutput<'state.get'> = {
  hub: { version: '1', pid: 1, startedAt: 0, dataDir: '', configFile: '', revision: 1, problems: [] },
  servers: [aServer('a'), aServer('b')],
  tools: [aTool('a', 'read'), aTool('b', 'write')],
  clients: [],
  settings: {
    version: 1,
    startAtLogin: false,
    closeToTray: true,
    theme: 'system',
    limits: {},
    audit: true,
    port: 7420,
    recordActivity: true,
    checkUpdates: true,
    notifyServers: true,
    notifySignIn: true,
    notifyTools: true,
    notifyClients: true,
    newClients: 'everything',
    askDestructive: false,
    firstStepsDone: false,
  },
};

function started(answer: () => Promise<Answer> = async () => ({ ok: true, value: snapshot })) {
  const made = testModel({ 'state.get': answer });
  const mirroring = createMirroring(made.model);
  mirroring.start();
  return { ...made, mirroring };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('[PB-IPC-1] mirrors of the engine', () => {
  it('are filled once and kept by events', async () => {
    const { model, link } = started();
    expect(model.linkState.getState().state.kind).toBe('loading');
    await settled();
    expect(model.linkState.getState().state.kind).toBe('ready');
    link.push('servers.changed', { servers: [aServer('c')], order: ['c', 'a'] });
    link.push('clients.changed', { clients: [aClient('1')] });
    link.push('settings.changed', { ...snapshot.settings, theme: 'dark' });
    link.push('hub.changed', { ...snapshot.hub, revision: 2 });
    link.push('process.usage', { usage: [{ key: 'a', memory: 5, cpu: 0, processes: [] }] });
    const { servers, clients, settings, hub, usage, tools } = model.mirrors;
    expect(servers.getState().order).toEqual(['c', 'a']);
    expect(clients.getState()).toHaveLength(1);
    expect(settings.getState()?.theme).toBe('dark');
    expect(hub.getState()?.revision).toBe(2);
    expect(usage.getState().a?.memory).toBe(5);
    expect(Object.keys(tools.getState())).toEqual(['a']);
    expect(link.calls.map(({ name }) => name)).toEqual(['state.get', 'profile.list', 'access.approvals']);
  });

  it('lose nothing that was pushed while the first state was on its way', async () => {
    let arrive = (_answer: Answer) => {};
    const { model, link } = started(() => new Promise((resolve) => (arrive = resolve)));
    await settled();
    link.push('servers.changed', { servers: [aServer('a', { status: 'error' })], order: ['a', 'b'] });
    expect(model.mirrors.servers.getState().order).toEqual([]);
    arrive({ ok: true, value: snapshot });
    await settled();
    expect(model.mirrors.servers.getState().byKey.a?.status).toBe('error');
    expect(model.mirrors.servers.getState().byKey.b?.status).toBe('connected');
  });

  it('report a lost engine, and recover when started again', async () => {
    const answers: Answer[] = [refused, { ok: true, value: snapshot }];
    const { model, link, mirroring } = started(async () => answers.shift() ?? refused);
    await settled();
    expect(model.linkState.getState().state).toMatchObject({ kind: 'lost', problem: refused.problem });
    mirroring.start();
    await settled();
    expect(model.linkState.getState().state.kind).toBe('ready');
    const listeners = link.listenerCount;
    mirroring.stop();
    expect(listeners).toBeGreaterThan(0);
    expect(link.listenerCount).toBe(0);
  });

  it('replace the tools of the servers named and keep the others', async () => {
    const { model, link } = started();
    await settled();
    const before = model.mirrors.tools.getState().b;
    link.push('tools.changed', { tools: { a: [aTool('a', 'read', { enabled: false })] } });
    expect(model.mirrors.tools.getState().a?.[0]?.enabled).toBe(false);
    expect(model.mirrors.tools.getState().b).toBe(before);
  });

  it('end the pending changes that were waiting for them', async () => {
    const { model, link } = started();
    await settled();
    const ticket = addPendingChange(model.pendingServerSwitches, ['a'], false);
    settlePendingChange(model.pendingServerSwitches, ['a'], ticket, () => true);
    link.push('servers.changed', { servers: [aServer('a', { enabled: false })], order: ['a', 'b'] });
    expect(model.pendingServerSwitches.getState().byId).toEqual({});
  });

  it('[PB-A11Y-1] announce changes to screen readers, many in one message', async () => {
    const { model, link } = started();
    await settled();
    link.push('servers.changed', { servers: [aServer('a', { status: 'degraded' })], order: ['a', 'b'] });
    expect(model.announcer.getState()).toEqual({ message: 'a: Degraded', turn: 1 });
    const many = ['w', 'x', 'y', 'z'].map((key) => aServer(key));
    link.push('servers.changed', { servers: many, order: ['a', 'b', 'w', 'x', 'y', 'z'] });
    expect(model.announcer.getState().message).toBe('w: Added, and 3 more changes');
  });
});

import { describe, expect, it } from 'vitest';
import { askToQuit, cancelQuit, closeToTray, quitNow } from '../../../renderer/command/quit-actions.ts';
import { runPushedCommand } from '../../../renderer/command/run-pushed-command.ts';
import { quitSentence } from '../../../renderer/lib/quit-words.ts';
import type { QuitPlan } from '../../../shared/model/call.ts';
import { refused, testModel } from '../helper/test-model.ts';

const client = { id: '1', name: 'claude-ai', lastActiveAt: 0 };
const call = {
  id: 1,
  clientId: '1',
  clientName: 'claude-ai',
  serverKey: 'a',
  method: 'tools/call',
  since: 0,
};
const planned = (plan: QuitPlan) => ({ 'app.quitPlan': () => ({ ok: true, value: plan }) as const });

describe('quitting from the window', () => {
  it('[PB-APP-1] happens at once if nothing would be interrupted', async () => {
    const { model, link } = testModel(planned({ clients: [], calls: [] }));
    await askToQuit(model);
    expect(link.calls.at(-1)).toEqual({ name: 'app.quit', input: { how: 'now' } });
    expect(model.view.getState().dialog).toBeUndefined();
  });

  it.each<QuitPlan>([
    { clients: [client], calls: [] },
    { clients: [], calls: [call] },
  ])('[PB-APP-1] asks first when somebody is: case %#', async (plan) => {
    const { model, link } = testModel(planned(plan));
    await askToQuit(model);
    expect(model.view.getState().dialog).toEqual({ kind: 'quit', plan });
    expect(link.calls.map(({ name }) => name)).toEqual(['app.quitPlan']);
  });

  it('[PB-APP-1] shows the question for a quit from outside the window', () => {
    const { model } = testModel();
    const plan = { clients: [client], calls: [] };
    runPushedCommand(model, { kind: 'confirm-quit', plan });
    expect(model.view.getState().dialog).toEqual({ kind: 'quit', plan });
  });

  it('[PB-APP-1] stays off where a person wants it', async () => {
    const { model, link } = testModel();
    await quitNow(model, 'now', true);
    expect(link.calls).toEqual([{ name: 'app.quit', input: { how: 'now', stayOff: true } }]);
  });

  it('says why it could not, and stays', async () => {
    const { model, notifier } = testModel({ 'app.quit': () => refused });
    expect(await quitNow(model, 'drain')).toBe(false);
    expect(notifier.noted).toEqual(['problem: config.unwritable']);
  });

  it('[PB-APP-1] is cancelled if the user stays', async () => {
    const { model, link } = testModel();
    runPushedCommand(model, { kind: 'confirm-quit', plan: { clients: [client], calls: [call] } });
    await quitNow(model, 'drain');
    await cancelQuit(model);
    expect(model.view.getState().dialog).toBeUndefined();
    expect(link.calls.map(({ name }) => name)).toEqual(['app.quit', 'app.stay']);
  });

  it('[PB-APP-1] or keeps serving without a window', async () => {
    const { model, link } = testModel();
    runPushedCommand(model, { kind: 'confirm-quit', plan: { clients: [client], calls: [] } });
    await closeToTray(model);
    expect(model.view.getState().dialog).toBeUndefined();
    expect(link.calls.map(({ name }) => name)).toEqual(['app.stay', 'app.closeWindow']);
  });
});

it.each<[QuitPlan, string]>([
  [{ clients: [], calls: [] }, 'No clients are connected.'],
  [{ clients: [client], calls: [] }, '1 client is connected.'],
  [{ clients: [client, client], calls: [call] }, '2 clients are connected and 1 call is in progress.'],
])('says who is there: case %#', (plan, text) => {
  expect(quitSentence(plan)).toBe(text);
});

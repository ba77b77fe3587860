import { describe, expect, it } from 'vitest';
import {
  changeCommand,
  explainCommand,
  reloadEnvironment,
  showExplanation,
} from '../../../../renderer/command/server/program-actions.ts';
import {
  checkHealth,
  dismissUpdate,
  forceUpdate,
  restartServer,
  sleepServer,
} from '../../../../renderer/command/server/server-actions.ts';
import { closeExplaining } from '../../../../renderer/store/explain-store.ts';
import type { IpcAnswer } from '../../../../shared/ipc/contract.ts';
import type { CommandExplanation } from '../../../../shared/model/server/command.ts';
import { refused, testModel } from '../../helper/test-model.ts';

function explanation(command: string): CommandExplanation {
  const environment = { source: 'login-shell', readAt: 1 } as const;
  return { command, pinned: false, candidates: [], searched: [], environment };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('what a person does to a running server', () => {
  it.each([
    ['server.sleep', sleepServer],
    ['server.restart', restartServer],
    ['server.checkHealth', checkHealth],
    ['server.forceUpdate', forceUpdate],
    ['server.dismissUpdate', dismissUpdate],
  ] as const)('[PB-DEMAND-1] asks for %s, and says why when it is refused', async (name, act) => {
    const made = testModel({ [name]: () => refused });
    await act(made.model, 'a');
    expect(made.link.calls).toEqual([{ name, input: { key: 'a' } }]);
    expect(made.notifier.noted).toEqual(['problem: config.unwritable']);
  });
});

describe('the program of a server', () => {
  it('is explained where its page is open', async () => {
    const { model } = testModel({ 'server.explainCommand': () => ({ ok: true, value: explanation('npx') }) });
    showExplanation(model, 'a');
    expect(model.view.getState().place).toMatchObject({ serverKey: 'a', serverTab: 'overview' });
    expect(model.explaining.getState().byKey.a).toEqual({ kind: 'asking' });
    await settled();
    expect(model.explaining.getState().byKey.a).toEqual({ kind: 'known', explanation: explanation('npx') });
  });

  it('keeps the old explanation visible while a newer one is fetched, and drops outdated ones', async () => {
    const answers: ((answer: IpcAnswer<'server.explainCommand'>) => void)[] = [];
    const { model } = testModel({
      'server.explainCommand': () => new Promise((resolve) => answers.push(resolve)),
    });
    const shown = () => model.explaining.getState().byKey.a;
    void explainCommand(model, 'a');
    await settled();
    answers[0]?.({ ok: true, value: explanation('old') });
    await settled();
    void explainCommand(model, 'a');
    expect(shown()).toEqual({ kind: 'asking', before: explanation('old') });
    await settled();
    closeExplaining(model.explaining, 'a');
    answers[1]?.({ ok: true, value: explanation('late') });
    await settled();
    expect(shown()).toBeUndefined();
  });

  it('is pinned with one call, which can be undone', async () => {
    const made = testModel({ 'server.explainCommand': () => ({ ok: true, value: explanation('npx') }) });
    await changeCommand(made.model, 'a', explanation('npx'), '/opt/bin/npx');
    await changeCommand(made.model, 'a', explanation('/opt/bin/npx'), 'npx');
    expect(made.notifier.noted).toEqual([
      'undoable: a now runs /opt/bin/npx.',
      'undoable: a now looks up npx.',
    ]);
    const [undo] = [...made.notifier.undos.values()];
    undo?.();
    const written = made.link.calls.filter(({ name }) => name === 'server.setCommand');
    expect(written.map(({ input }) => input)).toEqual([
      { key: 'a', command: '/opt/bin/npx' },
      { key: 'a', command: 'npx' },
      { key: 'a', command: '/opt/bin/npx' },
    ]);
  });

  it('is not reported as pinned if that was refused', async () => {
    const made = testModel({ 'server.setCommand': () => refused });
    await changeCommand(made.model, 'a', explanation('npx'), '/opt/bin/npx');
    expect(made.notifier.noted).toEqual(['problem: config.unwritable']);
  });

  it('is explained again after the environment was reloaded, if it is visible', async () => {
    const made = testModel({
      'server.explainCommand': () => ({ ok: true, value: explanation('npx') }),
      'environment.reload': () => ({ ok: true, value: { changed: ['PATH'] } }),
    });
    await explainCommand(made.model, 'a');
    await reloadEnvironment(made.model);
    expect(made.link.calls.map(({ name }) => name)).toEqual([
      'server.explainCommand',
      'environment.reload',
      'server.explainCommand',
    ]);
    expect(made.notifier.noted).toEqual([
      'done: Environment reloaded. Changed: PATH. Servers use it from their next start.',
    ]);
  });
});

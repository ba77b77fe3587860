import { describe, expect, it, vi } from 'vitest';
import { turnServers, turnTools } from '../../../renderer/command/bulk-actions.ts';
import { runUndo } from '../../../renderer/command/undo-actions.ts';
import { toolId } from '../../../renderer/store/tool-id.ts';
import { aServer, aTool } from '../helper/sample-views.ts';
import { refused, type TestModel, testModel } from '../helper/test-model.ts';

const changed = () => testModel({ 'server.change': () => ({ ok: true, value: { undoId: 'u1' } }) });
const wish = ({ model }: TestModel, serverKey: string, name: string) =>
  model.pendingToolSwitches.getState().byId[toolId({ serverKey, name })]?.enabled;

describe('turning tools on or off together', () => {
  it('counts and changes only those in another state, and undoes only those', async () => {
    const made = changed();
    const tools = [aTool('a', 'one'), { ...aTool('a', 'two'), enabled: false }, aTool('a', 'three')];
    turnTools(made.model, tools, false);
    await vi.waitFor(() => expect(made.notifier.noted).toEqual(['undoable: 2 tools turned off in a.']));
    runUndo(made.model);
    await vi.waitFor(() => expect(made.notifier.noted.at(-1)).toBe('done: 2 tools restored.'));
    expect(made.link.calls).toEqual([
      {
        name: 'server.change',
        input: { changes: [{ kind: 'tools', key: 'a', names: ['one', 'three'], enabled: false }] },
      },
      { name: 'server.undoChange', input: { undoId: 'u1' } },
    ]);
  });

  it('asks first where several servers are affected, with each one and its count', async () => {
    const made = changed();
    turnTools(made.model, [aTool('a', 'x'), aTool('b', 'y'), aTool('b', 'z')], false);
    const { question } = made.model.view.getState();
    expect(made.link.calls).toEqual([]);
    expect(question).toMatchObject({
      title: 'Turn off 3 tools in 2 servers?',
      parts: [
        { name: 'a', note: '1 tool' },
        { name: 'b', note: '2 tools' },
      ],
      yes: 'Turn off 3 tools',
    });
    question?.onYes();
    expect(wish(made, 'b', 'z')).toBe(false);
    await vi.waitFor(() =>
      expect(made.notifier.noted).toEqual(['undoable: 3 tools turned off in 2 servers.']),
    );
  });

  it('does nothing where nothing would change', () => {
    const made = changed();
    turnTools(made.model, [{ ...aTool('a', 'x'), enabled: false }], false);
    expect(made.link.calls).toEqual([]);
    expect(made.model.view.getState().question).toBeUndefined();
  });

  it('moves all switches back and offers no undo when it is refused', async () => {
    const made = testModel({ 'server.change': () => refused });
    turnTools(made.model, [aTool('a', 'x')], false);
    expect(wish(made, 'a', 'x')).toBe(false);
    await vi.waitFor(() => expect(made.notifier.noted).toEqual(['problem: config.unwritable']));
    expect(wish(made, 'a', 'x')).toBeUndefined();
    expect(made.model.undo.getState().steps).toEqual([]);
  });
});

describe('turning servers on or off together', () => {
  it('lists those that change and counts those already in that state', () => {
    const made = changed();
    const byKey = { a: aServer('a'), b: aServer('b'), c: aServer('c', { enabled: false }) };
    made.model.mirrors.servers.setState({ byKey, order: ['a', 'b', 'c'] });
    turnServers(made.model, ['a', 'b', 'c'], false);
    expect(made.model.view.getState().question).toMatchObject({
      title: 'Turn off 2 servers?',
      text: '1 server already off.',
      parts: [{ name: 'a' }, { name: 'b' }],
    });
  });
});

import { describe, expect, it } from 'vitest';
import { findCommands } from '../../../renderer/app/palette/palette-commands.ts';
import { commands } from '../../../renderer/command/commands.ts';
import { commandForKey } from '../../../renderer/command/run-shortcut.ts';
import { aServer } from '../helper/sample-views.ts';
import { testModel } from '../helper/test-model.ts';

const calm = { typing: false, dialog: false };
const press = (key: string, ctrlKey = false, shiftKey = false) => ({
  key,
  ctrlKey,
  shiftKey,
  metaKey: false,
  altKey: false,
});

describe('[PB-A11Y-1] commands by keyboard', () => {
  it('have ids and shortcuts of their own', () => {
    const shortcuts = commands.flatMap((command) => command.shortcut ?? []);
    expect(new Set(shortcuts).size).toBe(shortcuts.length);
    expect(new Set(commands.map((command) => command.id)).size).toBe(commands.length);
  });

  it.each([
    [press('1', true), 'view.servers'],
    [press('5', true), 'view.settings'],
    [press('k', true), 'palette.toggle'],
    [press('n'), 'server.add'],
    [press('/'), 'search.focus'],
    [press('?', false, true), 'app.shortcuts'],
  ])('%o runs %s', (pressed, id) => {
    expect(commandForKey(pressed, commands, testModel().model, calm)?.id).toBe(id);
  });

  it('stay silent while somebody types or a dialog is open, except those that come in front of it', () => {
    const { model } = testModel();
    const typing = { typing: true, dialog: false };
    const dialog = { typing: false, dialog: true };
    model.undo.setState({ steps: [{ id: 'u', undo: () => {} }] });
    expect(commandForKey(press('n'), commands, model, typing)).toBeUndefined();
    expect(commandForKey(press('z', true), commands, model, typing)).toBeUndefined();
    expect(commandForKey(press('z', true), commands, model, calm)?.id).toBe('undo');
    expect(commandForKey(press('2', true), commands, model, typing)?.id).toBe('view.tools');
    expect(commandForKey(press('n'), commands, model, dialog)).toBeUndefined();
    expect(commandForKey(press('k', true), commands, model, dialog)?.id).toBe('palette.toggle');
    const answer = press('A', true, true);
    expect(commandForKey(answer, commands, model, dialog)).toBeUndefined();
    model.mirrors.approvals.setState([{} as never], true);
    expect(commandForKey(answer, commands, model, dialog)?.id).toBe('approvals.show');
    expect(commandForKey(answer, commands, model, typing)?.id).toBe('approvals.show');
  });

  it('that need a server wait until one is open', () => {
    const { model } = testModel();
    expect(commandForKey(press('r', true), commands, model, calm)).toBeUndefined();
    model.mirrors.servers.setState({ byKey: { a: aServer('a') }, order: ['a'] });
    model.view.setState({ place: { view: 'servers', serverKey: 'a', serverTab: 'overview' } });
    expect(commandForKey(press('r', true), commands, model, calm)?.id).toBe('selected.restart');
    expect(commandForKey(press('Delete'), commands, model, calm)?.id).toBe('selected.remove');
  });
});

describe('the palette', () => {
  const { model } = testModel();
  model.mirrors.servers.setState({ byKey: { github: aServer('github') }, order: ['github'] });

  it('lists what makes sense now when nothing is typed', () => {
    const ids = findCommands(model, '').map((command) => command.id);
    expect(ids).toContain('server.add');
    expect(ids).not.toContain('selected.restart');
  });

  it('finds servers with what can be done to them', () => {
    const found = findCommands(model, 'github');
    expect(found[0]?.title).toBe('github');
    expect(found.map((command) => command.title)).toContain('github: restart');
  });

  it('finds commands by other words for them', () => {
    expect(findCommands(model, 'import').map((command) => command.id)).toContain('server.paste');
    expect(findCommands(model, 'qqqq')).toEqual([]);
  });
});

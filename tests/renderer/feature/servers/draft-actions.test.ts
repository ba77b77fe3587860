import { describe, expect, it } from 'vitest';
import {
  openDraft,
  revertDraft,
  saveDraft,
  validateDraft,
} from '../../../../renderer/feature/servers/config/draft-actions.ts';
import { editDraft } from '../../../../renderer/store/draft-store.ts';
import type { IpcAnswer } from '../../../../shared/ipc/contract.ts';
import { type Answers, refused, testModel } from '../../helper/test-model.ts';

const saved = '{ "command": "npx" /* mine */ }';
const entry: Answers = { 'server.entry': () => ({ ok: true, value: { text: saved, entry: {} } }) };

describe('editing a config', () => {
  it('starts from the text of the file and keeps unsaved changes of the same server', async () => {
    const { model } = testModel(entry);
    await openDraft(model, 'a');
    editDraft(model.draft, 'a', { text: '{}' });
    await openDraft(model, 'a');
    expect(model.draft.getState().draft?.text).toBe('{}');
    revertDraft(model);
    expect(model.draft.getState().draft?.text).toBe(saved);
  });

  it('[PB-CFG-1] saves the text as typed, comments included, with one call', async () => {
    const { model, link, notifier } = testModel(entry);
    await openDraft(model, 'a');
    editDraft(model.draft, 'a', { text: '{ "command": "bunx" /* mine */ }' });
    expect(await saveDraft(model)).toBeUndefined();
    expect(link.calls.slice(1)).toEqual([
      { name: 'server.saveText', input: { key: 'a', text: '{ "command": "bunx" /* mine */ }' } },
    ]);
    expect(notifier.noted).toEqual(['done: a was saved.']);
    expect(model.draft.getState().draft?.savedText).toContain('bunx');
  });

  it('renames in place, and follows to the new name', async () => {
    const { model, link } = testModel(entry);
    model.view.setState({ place: { view: 'servers', serverKey: 'a', serverTab: 'config' } });
    await openDraft(model, 'a');
    editDraft(model.draft, 'a', { key: 'b' });
    await saveDraft(model);
    expect(link.calls.at(-1)).toEqual({
      name: 'server.update',
      input: { key: 'a', newKey: 'b', entry: { command: 'npx' } },
    });
    expect(model.view.getState().place.serverKey).toBe('b');
  });

  it('keeps the draft when saving is refused', async () => {
    const { model } = testModel({ ...entry, 'server.saveText': () => refused });
    await openDraft(model, 'a');
    editDraft(model.draft, 'a', { text: '{}' });
    expect(await saveDraft(model)).toEqual(refused.problem);
    expect(model.draft.getState().draft).toMatchObject({ text: '{}', savedText: saved });
  });

  it('drops a judgement about a text that has changed meanwhile', async () => {
    let answer = (_answer: IpcAnswer<'server.validate'>) => {};
    const { model } = testModel({
      ...entry,
      'server.validate': () => new Promise((resolve) => (answer = resolve)),
    });
    await openDraft(model, 'a');
    const draft = model.draft.getState().draft;
    if (draft === undefined) throw new Error('a draft was expected');
    const judged = validateDraft(model, draft);
    editDraft(model.draft, 'a', { text: '{ "other": 1 }' });
    await Promise.resolve();
    answer({ ok: true, value: { issues: [{ severity: 'error', path: '', message: 'old' }] } });
    await judged;
    expect(model.draft.getState().draft?.issues).toEqual([]);
  });
});

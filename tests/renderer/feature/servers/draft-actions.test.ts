import { describe, expect, it } from 'vitest';
import {
  closeDraft,
  openDraft,
  revertDraft,
  saveDraft,
  validateDraft,
} from '../../../../renderer/feature/servers/config/draft/draft-actions.ts';
import { editDraft } from '../../../../renderer/store/draft-store.ts';
import type { IpcAnswer } from '../../../../shared/ipc/contract.ts';
import { aServer } from '../../helper/sample-views.ts';
import { type Answers, refused, testModel } from '../../helper/test-model.ts';

const saved = '{ "command": "npx" /* mine */ }';
const hint = { severity: 'warning', path: 'env', message: 'a hint' } as const;
const entry: Answers = {
  'server.entry': () => ({ ok: true, value: { text: saved, entry: {} } }),
  'server.validate': () => ({ ok: true, value: { issues: [hint] } }),
  'server.saveText': ({ text }) => ({ ok: true, value: { text } }),
};

/** Creates a window model with the config of server `a` open. */
async function opened(answers: Answers = {}) {
  const bench = testModel({ ...entry, ...answers });
  bench.model.mirrors.servers.setState({ byKey: { a: aServer('a') }, order: ['a'] });
  await openDraft(bench.model, 'a');
  return { ...bench, draft: () => bench.model.draft.getState().draft };
}

const changedMeanwhile = {
  ok: false,
  problem: {
    code: 'config.changed_meanwhile',
    sentence: 'a: command changed.',
    fix: 'Decide.',
    evidence: [{ label: 'command', value: 'changed on both sides' }],
  },
} as const;

describe('editing a config', () => {
  it('starts from the text of the file and keeps unsaved changes of the same server', async () => {
    const { model } = testModel(entry);
    await openDraft(model, 'a');
    editDraft(model.draft, 'a', { text: '{}' });
    await openDraft(model, 'a');
    expect(model.draft.getState().draft?.text).toBe('{}');
    await revertDraft(model);
    expect(model.draft.getState().draft?.text).toBe(saved);
  });

  it('is validated before it is shown, so that no hint moves the form afterwards', async () => {
    const { model } = testModel(entry);
    const first = new Promise((resolve) => model.draft.subscribe(({ draft }) => resolve(draft?.issues)));
    await openDraft(model, 'a');
    expect(await first).toEqual([hint]);
  });

  it('[NFR-SEC1] drops the text when the editor closes, unless it has unsaved changes', async () => {
    const { model, draft } = await opened();
    closeDraft(model, 'another');
    editDraft(model.draft, 'a', { text: '{}' });
    closeDraft(model, 'a');
    expect(draft()?.text).toBe('{}');
    await revertDraft(model);
    expect(draft()?.text).toBe(saved);
    closeDraft(model, 'a');
    expect(draft()).toBeUndefined();
  });

  it('[PB-CFG-2] follows the file while nothing is unsaved, and otherwise notes that it changed', async () => {
    let text = saved;
    const { model, draft } = await opened({
      'server.entry': () => ({ ok: true, value: { text, entry: {} } }),
    });
    text = '{ "command": "by-hand" }';
    await openDraft(model, 'a');
    expect(draft()).toMatchObject({ text, savedText: text });
    editDraft(model.draft, 'a', { text: '{ "command": "mine" }' });
    await openDraft(model, 'a');
    expect(draft()).toMatchObject({ savedText: text, changedInFile: false });
    text = '{ "command": "again" }';
    await openDraft(model, 'a');
    expect(draft()).toMatchObject({ text: '{ "command": "mine" }', changedInFile: true });
    await revertDraft(model);
    expect(draft()).toMatchObject({ text, savedText: text });
  });

  it('[PB-CFG-1] saves the text as typed, comments included, with one call', async () => {
    const { model, link, notifier } = await opened();
    const text = '{ "command": "bunx" /* mine */ }';
    editDraft(model.draft, 'a', { text });
    expect(await saveDraft(model)).toEqual({ kind: 'saved' });
    expect(link.calls.filter(({ name }) => name === 'server.saveText')).toEqual([
      { name: 'server.saveText', input: { key: 'a', text, base: saved } },
    ]);
    expect(notifier.noted).toEqual(['done: a was saved.']);
    expect(model.draft.getState().draft?.savedText).toContain('bunx');
  });

  it('[PB-CFG-2] continues from the text in the file, which includes changes by others', async () => {
    const both = '{ "command": "bunx", "disabled": true }';
    const { model, draft } = await opened({
      'server.saveText': () => ({ ok: true, value: { text: both } }),
    });
    editDraft(model.draft, 'a', { text: '{ "command": "bunx" }' });
    await saveDraft(model);
    expect(draft()).toMatchObject({ text: both, savedText: both });
  });

  it('keeps what is typed while it is being saved', async () => {
    const { model, draft } = await opened();
    editDraft(model.draft, 'a', { text: '{ "command": "one" }' });
    const saving = saveDraft(model);
    editDraft(model.draft, 'a', { text: '{ "command": "one two" }' });
    await saving;
    expect(draft()).toMatchObject({ text: '{ "command": "one two" }', savedText: '{ "command": "one" }' });
  });

  it('renames in the same step, and follows to the new name', async () => {
    const { model, link } = await opened();
    model.view.setState({ place: { view: 'servers', serverKey: 'a', serverTab: 'config' } });
    editDraft(model.draft, 'a', { key: 'b', text: '{}' });
    await saveDraft(model);
    expect(link.calls.filter(({ name }) => name === 'server.saveText')).toEqual([
      { name: 'server.saveText', input: { key: 'a', newKey: 'b', text: '{}', base: saved } },
    ]);
    expect(model.view.getState().place.serverKey).toBe('b');
  });

  it('keeps the draft when saving is refused', async () => {
    const { model, draft } = await opened({ 'server.saveText': () => refused });
    editDraft(model.draft, 'a', { text: '{}' });
    expect(await saveDraft(model)).toEqual({ kind: 'refused', problem: refused.problem });
    expect(draft()).toMatchObject({ text: '{}', savedText: saved });
  });

  it('[PB-CFG-2] asks which values to keep where both changed, and decides only what was shown', async () => {
    const { model, link } = await opened({ 'server.saveText': () => changedMeanwhile });
    const to = { view: 'tools', serverTab: 'config' } as const;
    editDraft(model.draft, 'a', { text: '{ "command": "mine" }' });
    expect(await saveDraft(model, { to })).toEqual({ kind: 'asked' });
    const dialog = { kind: 'draft-conflict', conflict: { fields: ['command'], theirs: saved, to } };
    expect(model.view.getState().dialog).toEqual(dialog);
    await saveDraft(model, { resolve: { keep: 'mine', seen: saved } });
    expect(link.calls.filter(({ name }) => name === 'server.saveText').at(-1)?.input).toMatchObject({
      base: saved,
      resolve: { keep: 'mine', seen: saved },
    });
  });

  it('[PB-CFG-2] adds a server again that was removed while its changes were unsaved', async () => {
    const { model, link, draft } = await opened();
    editDraft(model.draft, 'a', { text: '{ "command": "mine" }' });
    model.mirrors.servers.setState({ byKey: {}, order: [] });
    expect(await openDraft(model, 'a')).toBeUndefined();
    expect(draft()?.text).toBe('{ "command": "mine" }');
    await saveDraft(model);
    expect(link.calls.at(-1)).toEqual({
      name: 'server.saveText',
      input: { key: 'a', text: '{ "command": "mine" }' },
    });
  });

  it('drops the validation of an outdated text', async () => {
    let answer = (_answer: IpcAnswer<'server.validate'>) => {};
    const { model } = testModel({
      ...entry,
      'server.validate': () => new Promise((resolve) => (answer = resolve)),
    });
    const draft = { originalKey: 'a', key: 'a', savedText: saved, text: saved, issues: [] };
    model.draft.setState({ draft });
    const judged = validateDraft(model, draft);
    editDraft(model.draft, 'a', { text: '{ "other": 1 }' });
    await Promise.resolve();
    answer({ ok: true, value: { issues: [{ severity: 'error', path: '', message: 'old' }] } });
    await judged;
    expect(model.draft.getState().draft?.issues).toEqual([]);
  });
});

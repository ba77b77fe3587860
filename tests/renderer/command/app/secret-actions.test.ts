// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in config text look like this.
import { describe, expect, it, vi } from 'vitest';
import { deleteUnused } from '../../../../renderer/command/app/secret-actions.ts';
import {
  moveSecret,
  moveToastId,
} from '../../../../renderer/feature/servers/config/secrets/move-to-vault.ts';
import { refused, testModel } from '../../helper/test-model.ts';

const text = '{ "env": { "TOKEN": "hush" } }';
const secret = { path: ['env', 'TOKEN'], from: 0, to: 4, name: 'TOKEN' };

function moving(answers: Parameters<typeof testModel>[0] = {}) {
  const bench = testModel(answers);
  let now = text;
  const move = () =>
    moveSecret(bench.model, {
      text,
      currentText: () => now,
      secret,
      name: 'TOKEN',
      onText: (next) => {
        now = next;
      },
    });
  return { ...bench, move, now: () => now };
}

describe('a secret in plain text', () => {
  it('[NFR-SEC1] is stored, leaves a reference, and comes back on undo', async () => {
    const { move, now, link, notifier } = moving();
    expect(await move()).toBeUndefined();
    expect(now()).toBe('{ "env": { "TOKEN": "${secret:TOKEN}" } }');
    notifier.undos.get(moveToastId('TOKEN'))?.();
    expect(now()).toBe(text);
    expect(link.calls).toEqual([
      { name: 'secret.set', input: { name: 'TOKEN', value: 'hush', replace: false } },
      { name: 'secret.delete', input: { name: 'TOKEN', force: false } },
    ]);
  });

  it('[NFR-SEC1] stays where it is if it cannot be stored', async () => {
    const { move, now, notifier } = moving({ 'secret.set': () => refused });
    expect(await move()).toMatchObject({ code: 'config.unwritable' });
    expect(now()).toBe(text);
    expect(notifier.noted).toEqual([]);
  });
});

describe('secrets that no server uses', () => {
  it('[NFR-SEC1] are deleted after a confirmation, except one that is used meanwhile', async () => {
    const { model, link, notifier } = testModel({
      'secret.delete': ({ name }) => (name === 'B' ? refused : { ok: true, value: undefined }),
    });
    deleteUnused(model, ['A', 'B']);
    const question = model.view.getState().question;
    expect(question?.title).toBe('Delete 2 unused secrets?');
    expect(link.calls).toEqual([]);
    question?.onYes();
    await vi.waitFor(() =>
      expect(notifier.noted).toEqual(['done: 1 secret deleted.', 'problem: config.unwritable']),
    );
    expect(link.calls).toEqual([
      { name: 'secret.delete', input: { name: 'A', force: false } },
      { name: 'secret.delete', input: { name: 'B', force: false } },
    ]);
  });
});

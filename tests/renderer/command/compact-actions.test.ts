import { describe, expect, it } from 'vitest';
import { setCompact, switchClientCompact } from '../../../renderer/command/compact-actions.ts';
import { defaultCompactSettings } from '../../../shared/model/compact.ts';
import { refused, testModel } from '../helper/test-model.ts';

const pinned = { direct: 5, pinned: ['s:read'] };
const forgotten = 'undoable: Compact mode is off. Its settings were removed.';

function withPins(answers?: Parameters<typeof testModel>[0]) {
  const tested = testModel(answers);
  tested.model.mirrors.profiles.setState({
    profiles: [{ name: 'P', servers: {}, compact: pinned }],
    clients: {},
    compact: { editor: pinned, plain: defaultCompactSettings },
  });
  return tested;
}

describe('compact mode that is turned off', () => {
  it('[PB-SMART-1] restores pinned tools on undo, for a client and for a profile', async () => {
    const { model, link, notifier } = withPins();
    await switchClientCompact(model, { name: 'editor' }, false);
    notifier.undos.get('compact:client:editor')?.();
    await setCompact(model, { of: 'profile', name: 'P', compact: 'off' });
    notifier.undos.get('compact:profile:P')?.();
    expect(notifier.noted.filter((note) => note === forgotten)).toHaveLength(2);
    expect(link.calls.map(({ input }) => input)).toEqual([
      { of: 'client', name: 'editor', compact: 'inherit' },
      { of: 'client', name: 'editor', compact: pinned },
      { of: 'profile', name: 'P', compact: 'off' },
      { of: 'profile', name: 'P', compact: pinned },
    ]);
  });

  it('[PB-SMART-1] shows no message if nothing was removed, and only the problem if it failed', async () => {
    const { model, notifier } = withPins();
    await switchClientCompact(model, { name: 'plain' }, false);
    await switchClientCompact(model, { name: 'other', profile: 'P' }, false);
    await switchClientCompact(model, { name: 'other' }, true);
    expect(notifier.noted).toEqual([]);
    const failing = withPins({ 'profile.setCompact': () => refused });
    await switchClientCompact(failing.model, { name: 'editor' }, false);
    expect(failing.notifier.noted).toEqual(['problem: config.unwritable']);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ServerSelection } from '../../../../shared/model/client/profile.ts';
import { isIn, selectionState, withTools } from '../../../../shared/model/client/profile-selection.ts';

const names = ['a', 'b', 'c'];

test('[PB-NAMES-1] a server is on, off or in between, by the tools that are known of it', () => {
  expect(selectionState(undefined, names)).toBe('off');
  expect(selectionState('all', [])).toBe('on');
  expect(selectionState({ only: ['a'] }, names)).toBe('mixed');
  expect(selectionState({ only: ['a', 'b', 'c'] }, names)).toBe('on');
  expect(selectionState({ only: ['gone'] }, names)).toBe('off');
  expect(selectionState({ except: ['c'] }, names)).toBe('mixed');
});

test('[PB-NAMES-1] added tools are included, removed ones are not, and nothing else changes', () => {
  const some = fc.subarray(['a', 'b', 'c', 'd', 'e']);
  const selected = fc.oneof(
    fc.constant(undefined),
    fc.constant('all' as const),
    some.map((only): ServerSelection => ({ only })),
    some.map((except): ServerSelection => ({ except })),
  );
  fc.assert(
    fc.property(selected, some, fc.boolean(), (before, changed, on) => {
      const made = withTools(before, changed, on);
      const after = made === 'none' ? undefined : made;
      for (const name of ['a', 'b', 'c', 'd', 'e'])
        expect(isIn(after, name)).toBe(changed.includes(name) ? on : isIn(before, name));
      // Tools added later are included as before.
      expect(isIn(after, 'later')).toBe(isIn(before, 'later'));
    }),
  );
});

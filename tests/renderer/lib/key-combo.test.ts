import { describe, expect, it } from 'vitest';
import {
  comboForAria,
  comboLabels,
  isPlainKey,
  type KeyPress,
  matchesCombo,
} from '../../../renderer/lib/key-combo.ts';

function press(key: string, held: Partial<KeyPress> = {}): KeyPress {
  return { key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held };
}

describe('shortcuts', () => {
  it.each([
    ['mod+k', press('k', { ctrlKey: true }), false, true],
    ['mod+k', press('K', { ctrlKey: true }), false, true],
    ['mod+k', press('k', { metaKey: true }), true, true],
    ['mod+k', press('k', { ctrlKey: true }), true, false],
    ['mod+k', press('k', { ctrlKey: true, altKey: true }), false, false],
    ['mod+k', press('k', { ctrlKey: true, shiftKey: true }), false, false],
    ['mod+shift+v', press('V', { ctrlKey: true, shiftKey: true }), false, true],
    ['?', press('?', { shiftKey: true }), false, true],
    ['/', press('/'), false, true],
    ['n', press('n'), false, true],
    ['n', press('N', { shiftKey: true }), false, false],
    ['delete', press('Delete'), false, true],
  ])('%s against %o on a Mac (%s): %s', (combo, pressed, mac, expected) => {
    expect(matchesCombo(pressed, combo, mac)).toBe(expected);
  });

  it('are shown as the keys of the system', () => {
    expect(comboLabels('mod+shift+v', false)).toEqual(['Ctrl', 'Shift', 'V']);
    expect(comboLabels('mod+k', true)).toEqual(['⌘', 'K']);
    expect(comboForAria('mod+1', false)).toBe('Control+1');
  });

  it('know which ones are typed as text', () => {
    expect(isPlainKey('n')).toBe(true);
    expect(isPlainKey('mod+z')).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { earlyKey } from '../../../../renderer/app/palette/palette-keys.ts';

const press = (
  key: string,
  held: Partial<Record<'ctrlKey' | 'altKey' | 'metaKey' | 'shiftKey', boolean>> = {},
) => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  shiftKey: false,
  ...held,
});

describe('[PB-A11Y-1] keys typed before the palette’s field is ready', () => {
  it('are typed', () => {
    const typed = ['g', 'G', ' ', 'é', '/', 'x', 'Backspace'].reduce((text, key) => {
      const early = earlyKey(press(key), text);
      return early.kind === 'type' ? early.text : `${text}!`;
    }, '');
    expect(typed).toBe('gG é/');
    expect(earlyKey(press('@', { ctrlKey: true, altKey: true }), 'a')).toEqual({ kind: 'type', text: 'a@' });
    expect(earlyKey(press('Backspace'), '')).toEqual({ kind: 'type', text: '' });
  });

  it('have no effect behind it, and Escape closes it', () => {
    expect(earlyKey(press('Enter'), 'quit')).toEqual({ kind: 'keep' });
    expect(earlyKey(press('ArrowDown'), '')).toEqual({ kind: 'keep' });
    expect(earlyKey(press('Escape'), 'a')).toEqual({ kind: 'close' });
  });

  it('stay shortcuts', () => {
    expect(earlyKey(press('k', { ctrlKey: true }), '')).toEqual({ kind: 'pass' });
    expect(earlyKey(press('k', { metaKey: true }), '')).toEqual({ kind: 'pass' });
    expect(earlyKey(press('Shift', { shiftKey: true }), '')).toEqual({ kind: 'pass' });
  });
});

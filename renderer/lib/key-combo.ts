/**
 * A shortcut as commands define it: `mod+k`, `n`, `mod+1`, `/`, `escape`. `mod` is Cmd on a Mac, Ctrl
 * elsewhere.
 */
export type KeyCombo = string;

/** The relevant part of a keyboard event; tests pass plain objects. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

export function isMac(platform: string): boolean {
  return platform.toLowerCase().startsWith('mac');
}

/** True if the key press is exactly this combination. Shift is ignored for characters that need it. */
export function matchesCombo(press: KeyPress, combo: KeyCombo, mac: boolean): boolean {
  const { key, mod, shift } = parseCombo(combo);
  const modDown = mac ? press.metaKey : press.ctrlKey;
  const otherDown = mac ? press.ctrlKey : press.metaKey;
  if (press.altKey || otherDown || modDown !== mod) return false;
  if (key.length > 1 || /[a-z0-9]/.test(key)) {
    if (press.shiftKey !== shift) return false;
  }
  return press.key.toLowerCase() === key;
}

/** True for combinations that are also typed as text, which must not fire while the user types. */
export function isPlainKey(combo: KeyCombo): boolean {
  return !parseCombo(combo).mod;
}

/** Returns the keys as printed on a keyboard: `['⌘', 'K']` or `['Ctrl', 'K']`. */
export function comboLabels(combo: KeyCombo, mac: boolean): readonly string[] {
  const { key, mod, shift } = parseCombo(combo);
  const shown = key.length === 1 ? key.toUpperCase() : (names[key] ?? key);
  return [...(mod ? [mac ? '⌘' : 'Ctrl'] : []), ...(shift ? [mac ? '⇧' : 'Shift'] : []), shown];
}

/** Returns the value for `aria-keyshortcuts`. */
export function comboForAria(combo: KeyCombo, mac: boolean): string {
  const { key, mod, shift } = parseCombo(combo);
  return [...(mod ? [mac ? 'Meta' : 'Control'] : []), ...(shift ? ['Shift'] : []), key].join('+');
}

const names: Readonly<Record<string, string>> = { escape: 'Esc', delete: 'Del', enter: '↵' };

function parseCombo(combo: KeyCombo): { key: string; mod: boolean; shift: boolean } {
  const parts = combo.split('+');
  return { key: parts.at(-1) ?? '', mod: parts.includes('mod'), shift: parts.includes('shift') };
}

import type { KeyPress } from '../lib/key-combo.ts';

/** Effect of a key while the palette is open but its field is not ready. */
export type EarlyKey =
  | { readonly kind: 'type'; readonly text: string }
  | { readonly kind: 'close' }
  /** Ignored, but not passed on to the view behind. */
  | { readonly kind: 'keep' }
  /** A shortcut or a modifier key. */
  | { readonly kind: 'pass' };

/** `text` is what has been typed so far. */
export function earlyKey({ key, ctrlKey, altKey, metaKey }: KeyPress, text: string): EarlyKey {
  // Both together are AltGr, which types.
  if (metaKey || ctrlKey !== altKey || modifierKeys.has(key)) return { kind: 'pass' };
  if (key === 'Escape') return { kind: 'close' };
  if (key === 'Backspace') return { kind: 'type', text: text.slice(0, -1) };
  return [...key].length === 1 ? { kind: 'type', text: text + key } : { kind: 'keep' };
}

const modifierKeys: ReadonlySet<string> = new Set([
  'Shift',
  'Control',
  'Alt',
  'AltGraph',
  'Meta',
  'CapsLock',
]);

import type { KeyPress } from '../lib/key-combo.ts';

/** What a key does to a palette that is open while its field is not there yet. */
export type EarlyKey =
  | { readonly kind: 'type'; readonly text: string }
  | { readonly kind: 'close' }
  /** Nothing, but not what it would do in the view behind either. */
  | { readonly kind: 'keep' }
  /** It is a shortcut, or no key by itself. */
  | { readonly kind: 'pass' };

/** `text` is what was typed before it. */
export function earlyKey({ key, ctrlKey, altKey, metaKey }: KeyPress, text: string): EarlyKey {
  // Both together are AltGr, which types.
  if (metaKey || ctrlKey !== altKey || ofItself.has(key)) return { kind: 'pass' };
  if (key === 'Escape') return { kind: 'close' };
  if (key === 'Backspace') return { kind: 'type', text: text.slice(0, -1) };
  return [...key].length === 1 ? { kind: 'type', text: text + key } : { kind: 'keep' };
}

const ofItself: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock']);

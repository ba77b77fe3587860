import { useEffect } from 'react';
import { paletteName } from '../lib/palette-name.ts';
import type { Model } from '../store/model.ts';
import { useModel } from '../store/model-context.tsx';
import { setPalette, setPaletteText } from '../store/view-store.ts';
import { earlyKey } from './palette-keys.ts';

/** Sends keys to the palette's field if they arrive before it has the focus. */
export function usePaletteKeys(): void {
  const model = useModel();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => redirectKey(event, model);
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [model]);
}

function redirectKey(event: KeyboardEvent, { view }: Model): void {
  const { palette, paletteText } = view.getState();
  if (!palette || event.isComposing || isInPalette(event.target)) return;
  const early = earlyKey(event, paletteText);
  if (early.kind === 'pass') return;
  event.preventDefault();
  // Keeps the key from lists with their own keys and from a dialog behind.
  event.stopImmediatePropagation();
  if (early.kind === 'type') setPaletteText(view, early.text);
  if (early.kind === 'close') setPalette(view, false);
}

function isInPalette(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`[aria-label="${paletteName}"]`) !== null;
}

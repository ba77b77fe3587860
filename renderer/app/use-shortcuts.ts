import { useEffect } from 'react';
import { commands } from '../command/commands.ts';
import { closeServer, closeTester, closeTool } from '../command/navigate.ts';
import { commandForKey, type KeyContext } from '../command/run-shortcut.ts';
import type { Model } from '../store/model.ts';
import { useModel } from '../store/model-context.tsx';

/** Listens for the shortcuts of all commands, and for Escape, which goes one step back. */
export function useShortcuts(): void {
  const model = useModel();
  useEffect(() => {
    let covered = false;
    // Checks before other handlers run: a dialog that this key closes may be gone when the key arrives here.
    const checkCovered = () => {
      covered = isCovered(model);
    };
    const onKeyDown = (event: KeyboardEvent) => handle(event, model, covered);
    window.addEventListener('keydown', checkCovered, { capture: true });
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('keydown', checkCovered, { capture: true });
      window.removeEventListener('keydown', onKeyDown);
    };
  }, [model]);
}

function handle(event: KeyboardEvent, model: Model, covered: boolean): void {
  if (event.defaultPrevented || event.isComposing) return;
  const context = keyContext(event, covered);
  const command = commandForKey(event, commands, model, context);
  if (command !== undefined) {
    event.preventDefault();
    command.run(model);
  } else if (event.key === 'Escape' && !context.dialog) {
    goBack(event, model, context);
  }
}

function keyContext({ target }: KeyboardEvent, covered: boolean): KeyContext {
  const field = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]';
  return { typing: target instanceof Element && target.closest(field) !== null, dialog: covered };
}

/** True if something that takes the keys covers the page. */
function isCovered({ view }: Model): boolean {
  const { dialog, palette } = view.getState();
  const isOpen = dialog !== undefined || palette;
  return isOpen || document.querySelector('[role="menu"], [role="dialog"]') !== null;
}

/** Leaves a field, or else goes from a page back to its list. */
function goBack(event: KeyboardEvent, model: Model, { typing }: KeyContext): void {
  const { place } = model.view.getState();
  if (typing && event.target instanceof HTMLElement) event.target.blur();
  else if (place.testing !== undefined) closeTester(model);
  else if (place.view === 'servers' && place.serverKey !== undefined) closeServer(model);
  else if (place.view === 'tools' && place.tool !== undefined) closeTool(model);
}

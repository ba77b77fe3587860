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
    const onKeyDown = (event: KeyboardEvent) => handle(event, model);
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [model]);
}

function handle(event: KeyboardEvent, model: Model): void {
  if (event.defaultPrevented || event.isComposing) return;
  const context = keyContext(event, model);
  const command = commandForKey(event, commands, model, context);
  if (command !== undefined) {
    event.preventDefault();
    command.run(model);
  } else if (event.key === 'Escape' && !context.dialog) {
    goBack(event, model, context);
  }
}

function keyContext(event: KeyboardEvent, model: Model): KeyContext {
  const { dialog, palette } = model.view.getState();
  const target = event.target instanceof Element ? event.target : undefined;
  const openMenu = document.querySelector('[role="menu"], [role="dialog"]') !== null;
  return {
    typing:
      target?.closest('input:not([type="checkbox"]), textarea, select, [contenteditable="true"]') != null,
    dialog: dialog !== undefined || palette || openMenu,
  };
}

/** From a field out of it; else from a page to its list. */
function goBack(event: KeyboardEvent, model: Model, { typing }: KeyContext): void {
  const { place } = model.view.getState();
  if (typing && event.target instanceof HTMLElement) event.target.blur();
  else if (place.testing !== undefined) closeTester(model);
  else if (place.view === 'servers' && place.serverKey !== undefined) closeServer(model);
  else if (place.view === 'tools' && place.tool !== undefined) closeTool(model);
}

import { isPlainKey, type KeyPress, matchesCombo } from '../lib/key-combo.ts';
import type { Model } from '../store/model.ts';
import { type Command, isAvailable } from './command.ts';

/**
 * Context of a key press: while typing, single keys and undo belong to the field; an open dialog blocks all
 * commands except those shown above it.
 */
export interface KeyContext {
  readonly typing: boolean;
  readonly dialog: boolean;
}

/** Returns the command for a key press, if it may run now. */
export function commandForKey(
  press: KeyPress,
  commands: readonly Command[],
  model: Model,
  context: KeyContext,
): Command | undefined {
  return commands.find(
    ({ shortcut, ...command }) =>
      shortcut !== undefined &&
      matchesCombo(press, shortcut, model.mac) &&
      mayRun(command.id, shortcut, context) &&
      isAvailable({ shortcut, ...command }, model),
  );
}

/** Commands that show something above dialogs. */
const shownOverDialogs = new Set(['palette.toggle', 'approvals.show']);

/** Shortcuts that text fields use themselves. */
const textFieldShortcuts = new Set(['mod+z', 'mod+shift+v', 'mod+d', 'mod+e']);

function mayRun(id: string, shortcut: string, { typing, dialog }: KeyContext): boolean {
  if (dialog) return shownOverDialogs.has(id);
  return !(typing && (isPlainKey(shortcut) || textFieldShortcuts.has(shortcut)));
}

import { isPlainKey, type KeyPress, matchesCombo } from '../lib/key-combo.ts';
import type { Model } from '../store/model.ts';
import { type Command, isAvailable } from './command.ts';

/**
 * Where the keyboard is: typing keeps single keys and undo for itself, an open dialog keeps everything but what comes in
 * front of it.
 */
export interface KeyContext {
  readonly typing: boolean;
  readonly dialog: boolean;
}

/** The command a key press stands for, if it may run now. */
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

/** Commands that show something in front of dialogs. */
const overDialogs = new Set(['palette.toggle', 'approvals.show']);

/** Shortcuts that text fields need for themselves. */
const ofTextFields = new Set(['mod+z', 'mod+shift+v', 'mod+d', 'mod+e']);

function mayRun(id: string, shortcut: string, { typing, dialog }: KeyContext): boolean {
  if (dialog) return overDialogs.has(id);
  return !(typing && (isPlainKey(shortcut) || ofTextFields.has(shortcut)));
}

import type { LucideIcon } from 'lucide-react';
import type { KeyCombo } from '../lib/key-combo.ts';
import type { Model } from '../store/model.ts';

export type CommandGroup =
  | 'Go to'
  | 'Servers'
  | 'This server'
  | 'Connect a client'
  | 'Patchbay'
  | 'Settings'
  | 'Open server';

/** Something the user can do. Palette, shortcuts and menus are views of it. */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: CommandGroup;
  readonly icon: LucideIcon;
  /** Other words it is looked for by. */
  readonly keywords?: string;
  readonly shortcut?: KeyCombo;
  /** False when it makes no sense now; always available if absent. */
  readonly available?: (model: Model) => boolean;
  run(model: Model): void;
}

export function isAvailable(command: Command, model: Model): boolean {
  return command.available?.(model) ?? true;
}

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

/** Something the user can do. Palette, shortcuts and menus all use it. */
export interface Command {
  readonly id: string;
  readonly title: string;
  readonly group: CommandGroup;
  readonly icon: LucideIcon;
  /** Synonyms to find it by. */
  readonly keywords?: string;
  readonly shortcut?: KeyCombo;
  /** False if it does not apply now; always available if absent. */
  readonly available?: (model: Model) => boolean;
  run(model: Model): void;
}

export function isAvailable(command: Command, model: Model): boolean {
  return command.available?.(model) ?? true;
}

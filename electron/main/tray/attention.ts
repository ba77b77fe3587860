import { type MatterInput, mattersOf } from '../attention/matter.ts';
import type { TrayItem } from './model.ts';

/** Lists what needs the user, each with its action; items beyond the limit go into a submenu. */
export function attentionItems(input: MatterInput): readonly TrayItem[] {
  const items = mattersOf(input).map(({ id, verb, note, action }): TrayItem => {
    const label = note === undefined ? verb : `${verb} (${note})`;
    return { kind: 'action', id: `attention:${id}`, label, enabled: true, action };
  });
  if (items.length === 0) return [];
  const head: TrayItem = { kind: 'text', id: 'attention', label: 'Needs attention' };
  if (items.length <= shownFlat) return [head, ...items];
  const rest = items.slice(shownFlat);
  const more: TrayItem = { kind: 'submenu', id: 'attention:more', label: `${rest.length} more`, items: rest };
  return [head, ...items.slice(0, shownFlat), more];
}

const shownFlat = 5;

import { type AttentionInput, attentionItems } from '../attention/matter.ts';
import type { TrayItem } from './model.ts';

/** Lists what needs the user, each with its action; items beyond the limit go into a submenu. */
export function attentionMenuItems(input: AttentionInput): readonly TrayItem[] {
  const items = attentionItems(input).map(({ id, verb, note, action }): TrayItem => {
    const label = note === undefined ? verb : `${verb} (${note})`;
    return { kind: 'action', id: `attention:${id}`, label, enabled: true, action };
  });
  if (items.length === 0) return [];
  const head: TrayItem = { kind: 'text', id: 'attention', label: 'Needs attention' };
  if (items.length <= maxShownItems) return [head, ...items];
  const rest = items.slice(maxShownItems);
  const more: TrayItem = { kind: 'submenu', id: 'attention:more', label: `${rest.length} more`, items: rest };
  return [head, ...items.slice(0, maxShownItems), more];
}

const maxShownItems = 5;

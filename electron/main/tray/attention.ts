import { type MatterInput, mattersOf } from '../attention/matter.ts';
import type { TrayItem } from './model.ts';

/** What needs a person, each with the verb that fixes it. */
export function attentionItems(input: MatterInput): readonly TrayItem[] {
  const items = mattersOf(input).map(({ id, verb, note, action }): TrayItem => {
    const label = note === undefined ? verb : `${verb} (${note})`;
    return { kind: 'action', id: `attention:${id}`, label, enabled: true, action };
  });
  return items.length === 0 ? [] : [{ kind: 'text', id: 'attention', label: 'Needs attention' }, ...items];
}

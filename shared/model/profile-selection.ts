import type { ServerSelection } from './profile.ts';

/** What of a server is in a profile; undefined: nothing. */
export type Selected = ServerSelection | undefined;

export function isIn(selected: Selected, name: string): boolean {
  if (selected === undefined) return false;
  if (selected === 'all') return true;
  return 'only' in selected ? selected.only.includes(name) : !selected.except.includes(name);
}

/** Of the tools that are known of a server now. */
export function selectionState(selected: Selected, names: readonly string[]): 'on' | 'off' | 'mixed' {
  if (selected === undefined) return 'off';
  if (selected === 'all') return 'on';
  const count = names.filter((name) => isIn(selected, name)).length;
  return count === 0 ? 'off' : count === names.length ? 'on' : 'mixed';
}

/**
 * The selection with some tools put in or taken out. What has all but some stays so, and takes in what comes later; a choice
 * of tools stays one.
 */
export function withTools(
  selected: Selected,
  names: readonly string[],
  on: boolean,
): ServerSelection | 'none' {
  if (selected === 'all' || (selected !== undefined && 'except' in selected)) {
    const before = selected === 'all' ? [] : selected.except;
    const except = on ? before.filter((name) => !names.includes(name)) : [...new Set([...before, ...names])];
    return except.length === 0 ? 'all' : { except };
  }
  const before = selected?.only ?? [];
  const only = on ? [...new Set([...before, ...names])] : before.filter((name) => !names.includes(name));
  return only.length === 0 ? 'none' : { only };
}

import type { ServerSelection } from './profile.ts';

/** A server's selection in a profile; undefined means none of it. */
export type Selected = ServerSelection | undefined;

export function isIn(selected: Selected, name: string): boolean {
  if (selected === undefined) return false;
  if (selected === 'all') return true;
  return 'only' in selected ? selected.only.includes(name) : !selected.except.includes(name);
}

/** State of the selection for the currently known tools. */
export function selectionState(selected: Selected, names: readonly string[]): 'on' | 'off' | 'mixed' {
  if (selected === undefined) return 'off';
  if (selected === 'all') return 'on';
  const count = names.filter((name) => isIn(selected, name)).length;
  return count === 0 ? 'off' : count === names.length ? 'on' : 'mixed';
}

/**
 * Returns the selection with tools added or removed. "All" and "all except" stay such and include later
 * tools; a list of tools stays a list.
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

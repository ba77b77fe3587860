import { type KeyboardEvent, type MouseEvent, useState } from 'react';
import type { ServerView } from '../../../../shared/model/server/server.ts';

/** The selected servers of a list and how to change the selection. */
export interface Selection {
  readonly servers: readonly ServerView[];
  has(key: string): boolean;
  toggle(index: number, isRange: boolean): void;
  clear(): void;
  /** Handles a click that selects instead of opening; returns true if it did. */
  onClick(event: MouseEvent, index: number): boolean;
  /** Handles keys that select; returns true if it did. */
  onKeyDown(event: KeyboardEvent<HTMLElement>): boolean;
}

interface State {
  readonly keys: ReadonlySet<string>;
  /** Server key of the row where a range starts. */
  readonly anchor: string | undefined;
}

const none: State = { keys: new Set(), anchor: undefined };

/** Selects only visible servers, so that actions never affect hidden ones. */
export function useSelection(shown: readonly ServerView[]): Selection {
  const [{ keys, anchor }, setState] = useState<State>(none);
  const servers = shown.filter(({ key }) => keys.has(key));
  const keyAt = (index: number) => shown[index]?.key;

  function toggle(index: number, isRange: boolean): void {
    const key = keyAt(index);
    if (key === undefined) return;
    const from = shown.findIndex((server) => server.key === anchor);
    if (isRange && from >= 0) {
      selectRange(from, index);
      return;
    }
    const next = new Set(servers.map((server) => server.key));
    if (!next.delete(key)) next.add(key);
    setState({ keys: next, anchor: key });
  }

  function selectRange(from: number, to: number): void {
    const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
    setState({ keys: new Set(range.map(({ key }) => key)), anchor: keyAt(from) });
  }

  function extend(index: number, step: number): void {
    const from = shown.findIndex((server) => server.key === anchor);
    const start = servers.length > 0 && from >= 0 ? from : index;
    selectRange(start, Math.max(0, Math.min(shown.length - 1, index + step)));
  }

  const clear = () => setState(none);
  return {
    servers,
    has: (key) => keys.has(key),
    toggle,
    clear,
    onClick(event, index) {
      const isOne = event.ctrlKey || event.metaKey;
      if (!isOne && !event.shiftKey) return false;
      if (event.shiftKey && anchor === undefined) selectRange(index, index);
      else toggle(index, event.shiftKey);
      return true;
    },
    onKeyDown(event) {
      const row = (event.target as HTMLElement).closest<HTMLElement>('[data-row]');
      const isMod = event.ctrlKey || event.metaKey;
      if (event.key === 'Escape' && servers.length > 0) clear();
      else if (row === null) return false;
      else if (isMod && event.key === 'a') setState({ keys: new Set(shown.map(({ key }) => key)), anchor });
      else if (isMod && event.key === ' ') toggle(Number(row.dataset.row), false);
      else if (event.shiftKey && event.key === 'ArrowDown') {
        extend(Number(row.dataset.row), 1);
        return false;
      } else if (event.shiftKey && event.key === 'ArrowUp') {
        extend(Number(row.dataset.row), -1);
        return false;
      } else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

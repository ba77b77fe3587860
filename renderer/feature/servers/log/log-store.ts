import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { LogLine } from '../../../../shared/model/server.ts';
import { stripAnsi } from '../../../lib/strip-ansi.ts';
import type { HubLink } from '../../../store/model.ts';

/** A server's log as loaded by the window: bounded, cleaned, in order. */
export interface LogState {
  readonly lines: readonly LogLine[];
  readonly loading: boolean;
  readonly problem?: Problem;
}

export type LogStore = StoreApi<LogState>;

export const logLimit = 5000;

/** Appends new lines: strips terminal codes, skips known lines and drops the oldest beyond the limit. */
export function appendLines(
  current: readonly LogLine[],
  arrived: readonly LogLine[],
  limit = logLimit,
): readonly LogLine[] {
  const last = current.at(-1)?.seq ?? 0;
  const fresh = arrived
    .filter((line) => line.seq > last)
    .map((line) => ({ ...line, text: stripAnsi(line.text) }));
  if (fresh.length === 0) return current;
  return [...current, ...fresh].slice(-limit);
}

/** Schedules the next update of the log: per frame in the window, immediately in tests. */
export type Schedule = (run: () => void) => void;

/**
 * Follows a server's log until `stop`. Lines that arrive within one frame are added together; lines that
 * arrive during the first fetch are added after it.
 */
export function followLog(
  link: HubLink,
  key: string,
  schedule: Schedule,
): { store: LogStore; stop: () => void } {
  const store = createStore((): LogState => ({ lines: [], loading: true }));
  let queue: LogLine[] = [];
  let scheduled = false;
  let stopped = false;

  function flush(): void {
    scheduled = false;
    if (stopped || store.getState().loading) return;
    const arrived = queue;
    queue = [];
    store.setState(({ lines }) => ({ lines: appendLines(lines, arrived) }));
  }

  const unsubscribe = link.on('server.log', (event) => {
    if (event.key !== key) return;
    queue.push(...event.lines);
    if (queue.length > logLimit) queue = queue.slice(-logLimit);
    if (!scheduled) schedule(flush);
    scheduled = true;
  });
  void link.call('server.watchLog', { key }).then((answer) => {
    if (answer.ok) store.setState({ lines: appendLines([], answer.value.lines), loading: false });
    else store.setState({ loading: false, problem: answer.problem });
    flush();
  });

  return {
    store,
    stop() {
      stopped = true;
      unsubscribe();
      void link.call('server.unwatchLog', { key });
    },
  };
}

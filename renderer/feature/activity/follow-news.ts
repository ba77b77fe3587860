import type { HubLink } from '../../store/model.ts';

/** Runs a function once after a delay; the returned function cancels it. */
export type After = (milliseconds: number, run: () => void) => () => void;

export const afterMilliseconds: After = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/** Calls `onNews` when there may be new rows, at most once per `pause`; the returned function stops it. */
export function followChanges(
  link: HubLink,
  after: After,
  throttleMs: number,
  onChange: () => void,
): () => void {
  let cancel: (() => void) | undefined;
  const schedule = () => {
    cancel ??= after(throttleMs, () => {
      cancel = undefined;
      onChange();
    });
  };
  const stops = events.map((event) => link.on(event, schedule));
  void link.call('activity.watch', undefined);
  return () => {
    cancel?.();
    for (const stop of stops) stop();
    void link.call('activity.unwatch', undefined);
  };
}

/** Events after which the audit log has, or soon will have, another row. */
const events = [
  'activity.added',
  'servers.changed',
  'access.changed',
  'approvals.changed',
  'breaker.changed',
] as const;

import type { HubLink } from '../../store/model.ts';

/** Runs a function once after a delay; the returned function cancels it. */
export type After = (milliseconds: number, run: () => void) => () => void;

export const afterMilliseconds: After = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/** Calls `onNews` when there may be new rows, at most once per `pause`; the returned function stops it. */
export function followNews(link: HubLink, after: After, pause: number, onNews: () => void): () => void {
  let takeBack: (() => void) | undefined;
  const hear = () => {
    takeBack ??= after(pause, () => {
      takeBack = undefined;
      onNews();
    });
  };
  const stops = events.map((event) => link.on(event, hear));
  void link.call('activity.watch', undefined);
  return () => {
    takeBack?.();
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

import type { HubLink } from '../../store/model.ts';

/** Runs something after so many milliseconds, once; the result takes it back. */
export type After = (milliseconds: number, run: () => void) => () => void;

export const afterMilliseconds: After = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds);
  return () => clearTimeout(timer);
};

/** Says that there may be something new, at most once in `pause`, until the result is called. */
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

/** With each of them the audit log has one more row, or soon will. */
const events = [
  'activity.added',
  'servers.changed',
  'access.changed',
  'approvals.changed',
  'breaker.changed',
] as const;

import { formatAgo, formatDuration, formatMoment, formatUntil } from '../lib/format-time.ts';
import { useTimeText } from '../store/model-context.tsx';

/** `5 min ago`, kept fresh; the exact moment on hover. */
export function Ago({ at }: { at: number }) {
  const text = useTimeText((now) => formatAgo(at, now));
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at)}>
      {text}
    </time>
  );
}

/** How long something has lasted, kept fresh. */
export function Lasting({ since }: { since: number }) {
  const text = useTimeText((now) => formatDuration(now - since));
  return (
    <time className="numeric" title={`Since ${formatMoment(since)}`}>
      {text}
    </time>
  );
}

/** `in 4 s`, kept fresh. */
export function Until({ at }: { at: number }) {
  return <span className="numeric">{useTimeText((now) => formatUntil(at, now))}</span>;
}

/** `Retrying in 4 s`, kept fresh; `Retrying…` once that has come. */
export function Retrying({ at }: { at: number }) {
  return (
    <span className="numeric">
      {useTimeText((now) => {
        const until = formatUntil(at, now);
        return until === 'now' ? 'Retrying…' : `Retrying ${until}`;
      })}
    </span>
  );
}

/** `4 min 12 s left`, kept fresh. */
export function TimeLeft({ until }: { until: number }) {
  return <span className="numeric">{useTimeText((now) => `${formatDuration(until - now)} left`)}</span>;
}

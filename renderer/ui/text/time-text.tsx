import { formatAgo, formatDuration, formatMoment, formatUntil } from '../../lib/text/format-time.ts';
import { useTimeText } from '../../store/model-context.tsx';

/** Shows `5 min ago`, kept up to date, with the exact time on hover. */
export function Ago({ at }: { at: number }) {
  const text = useTimeText((now) => formatAgo(at, now));
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at)}>
      {text}
    </time>
  );
}

/** Shows how long something has lasted, kept up to date. */
export function Lasting({ since }: { since: number }) {
  const text = useTimeText((now) => formatDuration(now - since));
  return (
    <time className="numeric" title={`Since ${formatMoment(since)}`}>
      {text}
    </time>
  );
}

/** Shows `in 4 s`, kept up to date. */
export function Until({ at }: { at: number }) {
  return <span className="numeric">{useTimeText((now) => formatUntil(at, now))}</span>;
}

/** Shows `Retrying in 4 s`, kept up to date; then `Retrying…`. */
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

/** Shows `4 min 12 s left`, kept up to date. */
export function TimeLeft({ until }: { until: number }) {
  return <span className="numeric">{useTimeText((now) => `${formatDuration(until - now)} left`)}</span>;
}

import { Button } from '@mantine/core';
import { openClientDetail } from '../../command/client/client-actions.ts';
import { clientTitle } from '../../lib/server/client-title.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import { formatDay } from '../../lib/text/format-day.ts';
import { useKnownClients } from '../../store/hook/engine-hooks.ts';
import { useModel, useTimeText } from '../../store/model-context.tsx';
import classes from './clients-view.module.css';

/** Lists recently seen clients, if any. */
export function KnownClients() {
  const model = useModel();
  const known = useKnownClients();
  if (known.length === 0) return null;
  return (
    <section className={classes.known} aria-label="Recently seen">
      <h2 className={classes.heading}>Recently seen</h2>
      <ul>
        {known.map(({ id, name, calls, lastUsedAt }) => (
          <li key={id}>
            <span className={classes.knownName}>{clientTitle({ name })}</span>
            <span className={classes.dim}>
              {formatCount(calls, 'call')} in 30 days, last <Day at={lastUsedAt} />
            </span>
            <Button
              variant="default"
              aria-label={`Tools ${clientTitle({ name })} sees`}
              onClick={() => openClientDetail(model, id)}
            >
              Tools it sees
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows a day without a time, since calls are counted per day. */
function Day({ at }: { at: number }) {
  const text = useTimeText((now) => formatDay(at, now));
  return <time dateTime={new Date(at).toISOString()}>{text}</time>;
}

import { Button } from '@mantine/core';
import { LoaderCircle } from 'lucide-react';
import type { ActiveCall } from '../../../shared/model/activity/call.ts';
import { stopCall } from '../../command/activity/activity-actions.ts';
import { clientTitle } from '../../lib/server/client-title.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import { useModel, useServerTitle } from '../../store/model-context.tsx';
import { ServerName } from '../../ui/text/server-name.tsx';
import { Lasting } from '../../ui/text/time-text.tsx';
import classes from './activity-view.module.css';
import { useActiveCalls } from './use-active-calls.ts';

/** Lists calls in progress above the finished ones; `newest` is the id of the last finished one. */
export function ActiveCallList({ newest }: { newest: number | undefined }) {
  const calls = useActiveCalls(newest);
  if (calls.length === 0) return null;
  const rest = calls.length - maxShown;
  return (
    <section className={classes.underway} aria-label="Calls in progress">
      <ul>
        {calls.slice(0, maxShown).map((call) => (
          <ActiveCallLine key={call.id} call={call} />
        ))}
      </ul>
      {rest > 0 && <p className="dim">{formatCount(rest, 'more call')} in progress</p>}
    </section>
  );
}

function ActiveCallLine({ call }: { call: ActiveCall }) {
  const model = useModel();
  const title = useServerTitle(call.serverKey);
  const what = call.name ?? call.method;
  return (
    <li className={`row ${classes.underwayLine}`}>
      <LoaderCircle size={14} className={classes.icon} aria-hidden />
      <code className={`truncate ${classes.title}`}>{what}</code>
      <span className="grow dim">
        <ServerName serverKey={call.serverKey} />, for {clientTitle({ name: call.clientName })}
      </span>
      <Lasting since={call.since} />
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Cancel ${what} of ${title}`}
        onClick={() => void stopCall(model, call.id)}
      >
        Cancel
      </Button>
    </li>
  );
}

/** Max calls listed; more are only counted. */
const maxShown = 5;

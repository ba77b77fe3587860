import { Button } from '@mantine/core';
import type { BreakerView } from '../../shared/model/activity/breaker.ts';
import { resetBreaker } from '../command/activity/audit-actions.ts';
import { formatCount } from '../lib/text/format-amount.ts';
import { useModel, useServerTitle } from '../store/model-context.tsx';
import classes from './breaker-list.module.css';
import { ServerName } from './text/server-name.tsx';
import { Ago, Until } from './text/time-text.tsx';

interface BreakerListProps {
  readonly breakers: readonly BreakerView[];
  /** True if the breakers belong to several servers. */
  readonly withServer?: boolean;
}

/**
 * Lists tools whose circuit is not closed: since when, when the next call is tried, and a button to reset.
 */
export function BreakerList({ breakers, withServer = false }: BreakerListProps) {
  return (
    <ul className={classes.list}>
      {breakers.map((breaker) => (
        <BreakerLine key={`${breaker.serverKey}:${breaker.tool}`} breaker={breaker} withServer={withServer} />
      ))}
    </ul>
  );
}

function BreakerLine({ breaker, withServer }: { breaker: BreakerView; withServer: boolean }) {
  const model = useModel();
  const { serverKey, tool, state, failures, openedAt } = breaker;
  const title = useServerTitle(serverKey);
  return (
    <li className={`row ${classes.line}`}>
      <span className={classes.words}>
        <span className={classes.name}>
          {withServer && (
            <>
              <ServerName serverKey={serverKey} />:{' '}
            </>
          )}
          <code>{tool}</code>
        </span>
        <span className={classes.facts}>
          {formatCount(failures, 'failure')} in a row
          {openedAt !== undefined && (
            <>
              , paused <Ago at={openedAt} />
            </>
          )}
        </span>
      </span>
      <span className={classes.state} data-state={state}>
        <NextCall breaker={breaker} />
      </span>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Reset ${tool} of ${title}`}
        onClick={() => void resetBreaker(model, serverKey, tool)}
      >
        Reset
      </Button>
    </li>
  );
}

/** Shows what will happen to the next call. */
function NextCall({ breaker: { state, until, successes } }: { breaker: BreakerView }) {
  if (state === 'half-open')
    return `Testing: the next call decides${successes === 0 ? '' : `, ${successes} succeeded`}`;
  if (until === undefined) return 'Paused';
  return (
    <>
      Paused: next test <Until at={until} />
    </>
  );
}

/** Resets all circuits of a server. */
export function ResetAll({ serverKey, words }: { serverKey: string; words: string }) {
  const model = useModel();
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      aria-label={`Reset all paused tools of ${useServerTitle(serverKey)}`}
      onClick={() => void resetBreaker(model, serverKey)}
    >
      {words}
    </Button>
  );
}

import { Button } from '@mantine/core';
import { openSettings } from '../../../command/navigate.ts';
import { groupBy } from '../../../lib/group-by.ts';
import { useBreakers } from '../../../store/hook/engine-hooks.ts';
import { useModel } from '../../../store/model-context.tsx';
import { BreakerList, ResetAll } from '../../../ui/breaker-list.tsx';
import { Section } from '../../../ui/facts.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { ServerName } from '../../../ui/text/server-name.tsx';
import classes from './metrics.module.css';

/** Lists the open circuits of all servers. */
export function CircuitsPart() {
  const model = useModel();
  const state = useBreakers();
  return (
    <Section
      title="Paused tools"
      aside={
        <Button variant="subtle" size="compact-xs" onClick={() => openSettings(model, 'limits')}>
          Pause settings
        </Button>
      }
    >
      {state.kind === 'failed' && <ProblemCard problem={state.problem} about="Paused tools" />}
      {state.kind === 'known' && state.value.length === 0 && <p className="dim tiny">No paused tools</p>}
      {state.kind === 'known' && state.value.length > 0 && (
        <>
          <p className="dim tiny">
            These tools failed several times in a row, so Patchbay rejects their calls for a while.
          </p>
          {Object.entries(groupBy(state.value, ({ serverKey }) => serverKey)).map(([serverKey, own]) => (
            <div key={serverKey} className={classes.circuits}>
              <div className={`row ${classes.circuitsHead}`}>
                <h4>
                  <ServerName serverKey={serverKey} />
                </h4>
                {own.length > 1 && <ResetAll serverKey={serverKey} words="Reset all" />}
              </div>
              <BreakerList breakers={own} />
            </div>
          ))}
        </>
      )}
    </Section>
  );
}

import { groupBy } from '../../../lib/group-by.ts';
import { useBreakers } from '../../../store/use-breakers.ts';
import { BreakerList, ResetAll } from '../../../ui/breaker-list.tsx';
import { Section } from '../../../ui/facts.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from './metrics.module.css';

/** The circuits of all servers that are not closed. */
export function CircuitsPart() {
  const state = useBreakers();
  return (
    <Section title="Paused tools">
      {state.kind === 'failed' && <ProblemCard problem={state.problem} about="Circuits" />}
      {state.kind === 'known' && state.breakers.length === 0 && (
        <p className={classes.note}>None: calls of all tools are sent.</p>
      )}
      {state.kind === 'known' && state.breakers.length > 0 && (
        <>
          <p className={classes.note}>
            Calls of these tools failed several times in a row, so more are refused at once, to spare client
            and server.
          </p>
          {Object.entries(groupBy(state.breakers, ({ serverKey }) => serverKey)).map(([serverKey, own]) => (
            <div key={serverKey} className={classes.circuits}>
              <div className={classes.circuitsHead}>
                <h4>{serverKey}</h4>
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

import { useBreakers } from '../../../store/use-breakers.ts';
import { BreakerList, ResetAll } from '../../../ui/breaker-list.tsx';
import { Section } from '../../../ui/facts.tsx';
import classes from './circuits-section.module.css';

/** Tools whose calls are refused for a while because they failed again and again. */
export function CircuitsSection({ serverKey }: { serverKey: string }) {
  const state = useBreakers();
  const own = state.kind === 'known' ? state.breakers.filter((one) => one.serverKey === serverKey) : [];
  if (own.length === 0) return null;
  return (
    <Section
      title="Paused tools"
      aside={own.length > 1 && <ResetAll serverKey={serverKey} words="Reset all" />}
    >
      <p className={classes.words}>
        Several calls in a row failed, so more are refused at once. The next call after the pause is let
        through as a trial; a reset lets calls through now.
      </p>
      <BreakerList breakers={own} />
    </Section>
  );
}

import { useBreakers } from '../../../store/hook/engine-hooks.ts';
import { knownValue } from '../../../store/hook/use-engine.ts';
import { BreakerList, ResetAll } from '../../../ui/breaker-list.tsx';
import { Section } from '../../../ui/facts.tsx';
import classes from './circuits-section.module.css';

/** Lists the server's tools whose calls are rejected for a while after repeated failures. */
export function CircuitsSection({ serverKey }: { serverKey: string }) {
  const own = (knownValue(useBreakers()) ?? []).filter((one) => one.serverKey === serverKey);
  if (own.length === 0) return null;
  return (
    <Section
      title="Paused tools"
      aside={own.length > 1 && <ResetAll serverKey={serverKey} words="Reset all" />}
    >
      <p className={classes.words}>
        These tools failed several times in a row, so Patchbay rejects their calls for a while. After the
        pause, one call is let through as a test. Reset a tool to allow calls now.
      </p>
      <BreakerList breakers={own} />
    </Section>
  );
}

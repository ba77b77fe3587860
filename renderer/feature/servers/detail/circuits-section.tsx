import type { ServerView } from '../../../../shared/model/server.ts';
import { Section } from '../../../ui/facts.tsx';
import { Until } from '../../../ui/time-text.tsx';
import classes from './circuits-section.module.css';

/** Tools whose calls are refused for a while because they failed again and again. */
export function CircuitsSection({ circuits }: { circuits: ServerView['openCircuits'] }) {
  if (circuits.length === 0) return null;
  return (
    <Section title="Paused tools">
      <p className={classes.words}>
        Several calls in a row failed, so more are refused at once. The next call after the pause is let
        through as a try.
      </p>
      <ul className={classes.list}>
        {circuits.map(({ tool, until }) => (
          <li key={tool} className={classes.line}>
            <code>{tool}</code>
            <span className={classes.until}>
              tried again <Until at={until} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

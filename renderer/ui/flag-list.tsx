import { Eye } from 'lucide-react';
import type { ToolFlag } from '../../shared/model/guard.ts';
import { formatCount } from '../lib/format-amount.ts';
import classes from './flag-list.module.css';

/** What in a definition is worth a look, each with its place. */
export function FlagList({ flags }: { flags: readonly ToolFlag[] }) {
  if (flags.length === 0) return null;
  return (
    <section className={classes.flags} aria-label="Worth a look">
      <h3 className={classes.title}>
        <Eye size={14} aria-hidden />
        {flags.length === 1 ? 'One thing' : formatCount(flags.length, 'thing')} worth a look
      </h3>
      <p className={classes.note}>Honest tools have some of this too. Read it before you decide.</p>
      <ul className={classes.list}>
        {flags.map(({ kind, place, sentence, excerpt }) => (
          <li key={`${kind} ${place} ${sentence}`}>
            <p>
              {sentence}{' '}
              <span className={classes.place}>
                in <code>{place}</code>
              </span>
            </p>
            <code className={classes.excerpt}>{excerpt}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}

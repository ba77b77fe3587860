import { TriangleAlert } from 'lucide-react';
import type { ToolFlag } from '../../../shared/model/tool/guard.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import classes from './flag-list.module.css';

/**
 * Lists warnings about a definition with their locations; text that steers the model or is hidden is called
 * prompt injection.
 */
export function FlagList({ flags }: { flags: readonly ToolFlag[] }) {
  if (flags.length === 0) return null;
  const isAttack = flags.some(({ kind }) => kind === 'instruction' || kind === 'hidden');
  return (
    <section className={classes.flags} data-attack={isAttack} aria-label="Warnings">
      <h3 className={`row ${classes.title}`}>
        <TriangleAlert size={14} aria-hidden />
        {isAttack ? 'This looks like prompt injection' : formatCount(flags.length, 'suspicious phrase')}
      </h3>
      <p className={classes.note}>
        {isAttack
          ? 'Text in this tool gives the model instructions, or is hidden from you. Block it unless you know why it is there.'
          : 'Legitimate tools may contain these too. Read before you decide.'}
      </p>
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

import type { EntryVariable } from '../../../shared/model/entry-variable.ts';
import classes from './variable-list.module.css';

/** What a server is given, by name; values stay where they were found. Those that nobody has filled in yet are marked. */
export function VariableList({ variables }: { variables: readonly EntryVariable[] }) {
  if (variables.length === 0) return null;
  return (
    <ul className={classes.variables} aria-label="Variables and headers">
      {variables.map(({ name, isPlaceholder }) => (
        <li key={name} data-open={isPlaceholder}>
          <code>{name}</code>
          {isPlaceholder && ' — put your own here: it is a placeholder'}
        </li>
      ))}
    </ul>
  );
}

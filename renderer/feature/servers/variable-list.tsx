import type { EntryVariable } from '../../../shared/model/import/entry-variable.ts';
import classes from './variable-list.module.css';

/** Lists a server's variables and headers by name, without values, and marks placeholders. */
export function VariableList({ variables }: { variables: readonly EntryVariable[] }) {
  if (variables.length === 0) return null;
  return (
    <ul className={classes.variables} aria-label="Variables and headers">
      {variables.map(({ name, isPlaceholder }) => (
        <li key={name} data-open={isPlaceholder}>
          <code>{name}</code>
          {isPlaceholder && ' — placeholder, enter your own value'}
        </li>
      ))}
    </ul>
  );
}

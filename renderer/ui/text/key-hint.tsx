import { comboLabels, type KeyCombo } from '../../lib/key-combo.ts';
import { useModel } from '../../store/model-context.tsx';
import classes from './key-hint.module.css';

/** Shows a shortcut as keys. Only decoration: the control itself has `aria-keyshortcuts`. */
export function KeyHint({ combo }: { combo: KeyCombo }) {
  const { mac } = useModel();
  return (
    <span className={classes.keys} aria-hidden>
      {comboLabels(combo, mac).map((label) => (
        <kbd key={label} className={classes.key}>
          {label}
        </kbd>
      ))}
    </span>
  );
}

import { comboLabels, type KeyCombo } from '../lib/key-combo.ts';
import { useModel } from '../store/model-context.tsx';
import classes from './key-hint.module.css';

/** A shortcut as keys. Decoration: the control itself says it with `aria-keyshortcuts`. */
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

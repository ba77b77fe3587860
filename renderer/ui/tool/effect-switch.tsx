import { Ban, Check, Hand, type LucideIcon } from 'lucide-react';
import type { Effect } from '../../../shared/model/access/access.ts';
import classes from './effect-switch.module.css';

interface EffectSwitchProps {
  /** Subject, for screen readers: `read of files`. */
  readonly about: string;
  /** The specific rule; undefined if general rules apply. */
  readonly own: Effect | undefined;
  /** The effective access. */
  readonly effective: Effect;
  /** Marks the first choice as the main control of a row. */
  readonly row?: number;
  /** Called with undefined to remove the specific rule. */
  readonly onChange: (effect: Effect | undefined) => void;
}

const choices: readonly { readonly effect: Effect; readonly label: string; readonly icon: LucideIcon }[] = [
  { effect: 'allow', label: 'Allow', icon: Check },
  { effect: 'ask', label: 'Ask', icon: Hand },
  { effect: 'deny', label: 'Deny', icon: Ban },
];

/**
 * Chooses allow, ask or deny: a specific choice is filled, the effect of general rules is outlined; a second
 * click goes back to those.
 */
export function EffectSwitch({ about, own, effective, row, onChange }: EffectSwitchProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a line of buttons
    <div role="group" aria-label={`Access to ${about}`} className={classes.choices}>
      {choices.map(({ effect, label, icon: Icon }, index) => (
        <button
          key={effect}
          type="button"
          className={classes.choice}
          data-effect={effect}
          data-own={own === effect}
          data-effective={effective === effect}
          data-row={index === 0 ? row : undefined}
          aria-pressed={own === effect}
          aria-label={`${label} ${about}`}
          title={own === effect ? `${label}, by its own rule; click to go back to the general rules` : label}
          onClick={() => onChange(own === effect ? undefined : effect)}
        >
          <Icon size={13} aria-hidden />
          {label}
        </button>
      ))}
    </div>
  );
}

import { Ban, Check, Hand, type LucideIcon } from 'lucide-react';
import type { Effect } from '../../shared/model/access.ts';
import classes from './effect-switch.module.css';

interface EffectSwitchProps {
  /** What it is about, for screen readers: `read of files`. */
  readonly about: string;
  /** The rule that it has of its own; undefined where general rules hold. */
  readonly own: Effect | undefined;
  /** What holds, whatever decides it. */
  readonly effective: Effect;
  /** Marks the first choice as the main control of a line. */
  readonly row?: number;
  /** Undefined takes the own rule away. */
  readonly onChange: (effect: Effect | undefined) => void;
}

const choices: readonly { readonly effect: Effect; readonly label: string; readonly icon: LucideIcon }[] = [
  { effect: 'allow', label: 'Allow', icon: Check },
  { effect: 'ask', label: 'Ask', icon: Hand },
  { effect: 'deny', label: 'Deny', icon: Ban },
];

/** Allow, ask or deny: what was chosen here is filled, what follows from general rules is outlined; a second click goes back to those. */
export function EffectSwitch({ about, own, effective, row, onChange }: EffectSwitchProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a line of buttons
    <div role="group" aria-label={`What becomes of ${about}`} className={classes.choices}>
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

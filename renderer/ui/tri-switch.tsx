import classes from './tri-switch.module.css';

export type TriState = 'on' | 'off' | 'mixed';

interface TriSwitchProps {
  readonly state: TriState;
  readonly label: string;
  readonly onChange: (on: boolean) => void;
}

/** A switch for a group: on, off, or mixed while its members differ. Mixed switches to on. */
export function TriSwitch({ state, label, onChange }: TriSwitchProps) {
  const checked = state === 'mixed' ? 'mixed' : state === 'on';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a native checkbox cannot be drawn as a three-state switch
    <button
      type="button"
      role="checkbox"
      aria-checked={checked}
      aria-label={label}
      className={classes.track}
      data-state={state}
      onClick={() => onChange(state !== 'on')}
    >
      <span className={classes.thumb} />
    </button>
  );
}

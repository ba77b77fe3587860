import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { ProblemCard } from '../../ui/problem-card.tsx';
import classes from './settings-view.module.css';
import type { SaveState } from './use-saved-setting.ts';

interface SettingRowProps {
  /** Id of the labelled control; absent for rows that only show or open something. */
  readonly control?: string;
  readonly label: string;
  readonly hint: ReactNode;
  readonly save?: SaveState;
  readonly children: ReactNode;
}

/** Lays out one setting: label and hint on the left, the control on the right, a problem below. */
export function SettingRow({ control, label, hint, save = { kind: 'idle' }, children }: SettingRowProps) {
  return (
    <div className={`row ${classes.row}`}>
      <div className="grow">
        {control === undefined ? (
          <p className={classes.label}>{label}</p>
        ) : (
          <label className={classes.label} htmlFor={control}>
            {label}
          </label>
        )}
        <div className="dim small">{hint}</div>
      </div>
      <div className="row gap-12">
        <span className={classes.saved} role="status">
          {save.kind === 'saved' && (
            <>
              <Check size={13} aria-hidden /> Saved
            </>
          )}
        </span>
        {children}
      </div>
      {save.kind === 'failed' && (
        <div className={classes.problem}>
          <ProblemCard problem={save.problem} about={label} />
        </div>
      )}
    </div>
  );
}

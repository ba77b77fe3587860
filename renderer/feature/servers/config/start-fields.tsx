import { Switch } from '@mantine/core';
import { idleStopOf, optionDefaults } from '../../../lib/entry-options.ts';
import { errorText } from '../../../lib/field-issues.ts';
import { AmountField } from './amount-field.tsx';
import { Choice } from './choice.tsx';
import classes from './entry-form.module.css';
import type { OptionFieldsProps } from './option-groups.tsx';

const minute = 60_000;

/** Edits when the server runs, and for which clients. */
export function StartFields({ options, issuesOf, onChange }: OptionFieldsProps) {
  return (
    <>
      <Choice
        label="Starts"
        description="Until it starts, the last known tools are listed."
        value={options.start}
        error={errorText(issuesOf('start'))}
        onChange={(start) => onChange('start', start)}
        data={[
          { value: 'auto', label: 'With Patchbay' },
          { value: 'on-demand', label: 'On first call' },
        ]}
      />
      <IdleStop options={options} issuesOf={issuesOf} onChange={onChange} />
      <Choice
        label="Runs"
        description="Use one per client if it keeps state between calls, such as a browser or a login."
        value={options.isolation}
        error={errorText(issuesOf('isolation'))}
        onChange={(isolation) => onChange('isolation', isolation)}
        data={[
          { value: 'shared', label: 'Once for all clients' },
          { value: 'per-client', label: 'Once per client' },
        ]}
      />
      {options.isolation === 'per-client' && (
        <AmountField
          label="Maximum running"
          description="Further clients get a busy error."
          placeholder={String(optionDefaults.maxInstances)}
          value={options.maxInstances}
          unit={1}
          suffix=""
          error={errorText(issuesOf('maxInstances'))}
          onChange={(next) => onChange('maxInstances', next)}
        />
      )}
      <Switch
        label="Restart after a crash"
        description="Waits longer after each crash."
        checked={options.restart === 'always'}
        onChange={(event) => onChange('restart', event.currentTarget.checked ? 'always' : 'never')}
      />
    </>
  );
}

function IdleStop({ options, issuesOf, onChange }: Omit<OptionFieldsProps, 'serverKey'>) {
  const idle = idleStopOf(options);
  // The default is left out of the file, so that a changed default takes effect.
  const whenOn = options.start === 'on-demand' ? undefined : optionDefaults.idleStop;
  const whenOff = options.start === 'on-demand' ? false : undefined;
  return (
    <div className={classes.group}>
      <Switch
        label="Stop when idle"
        description="Frees its memory. Its tools stay listed, and the next call wakes it."
        checked={idle !== undefined}
        onChange={(event) => onChange('idleStop', event.currentTarget.checked ? whenOn : whenOff)}
      />
      {idle !== undefined && (
        <div className={classes.indented}>
          <AmountField
            label="Minutes without a call"
            placeholder={`${optionDefaults.idleStop / minute} min`}
            value={options.idleStop === false ? undefined : options.idleStop}
            unit={minute}
            suffix=" min"
            error={errorText(issuesOf('idleStop'))}
            onChange={(next) => onChange('idleStop', next ?? whenOn)}
          />
        </div>
      )}
    </div>
  );
}

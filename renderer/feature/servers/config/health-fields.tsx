import { TextInput } from '@mantine/core';
import { standard } from '../../../lib/entry-options.ts';
import { errorText } from '../../../lib/field-issues.ts';
import { AmountField } from './amount-field.tsx';
import classes from './entry-form.module.css';
import type { OptionFieldsProps } from './option-groups.tsx';

const second = 1_000;

/** How it is found out whether a server is well. */
export function HealthFields({ options, issuesOf, onChange }: OptionFieldsProps) {
  return (
    <>
      <TextInput
        label="Health URL"
        description="Asked with GET instead of a ping; any 2xx answer is good."
        placeholder="Optional, for example http://127.0.0.1:8080/healthz"
        value={options.healthCheckUrl}
        onChange={(event) => onChange('healthCheckUrl', event.currentTarget.value)}
        error={errorText(issuesOf('healthCheckUrl'))}
        classNames={{ input: classes.code ?? '' }}
        spellCheck={false}
      />
      <div className={classes.pair}>
        <AmountField
          label="Check every"
          placeholder={`${standard.healthInterval / second} s`}
          value={options.healthInterval}
          unit={second}
          suffix=" s"
          error={errorText(issuesOf('healthInterval'))}
          onChange={(next) => onChange('healthInterval', next)}
        />
        <AmountField
          label="Answer within"
          placeholder={`${standard.healthTimeout / second} s`}
          value={options.healthTimeout}
          unit={second}
          suffix=" s"
          error={errorText(issuesOf('healthTimeout'))}
          onChange={(next) => onChange('healthTimeout', next)}
        />
      </div>
      <p className={classes.hint}>After three missed checks in a row it is restarted.</p>
    </>
  );
}

import { TextInput } from '@mantine/core';
import { optionDefaults } from '../../../lib/entry-options.ts';
import { errorText } from '../../../lib/field-issues.ts';
import { AmountField } from './amount-field.tsx';
import classes from './entry-form.module.css';
import type { OptionFieldsProps } from './option-groups.tsx';

const second = 1_000;

/** Edits how the server's health is checked. */
export function HealthFields({ options, issuesOf, onChange }: OptionFieldsProps) {
  return (
    <>
      <TextInput
        label="Health URL"
        description="Checked with GET instead of a ping. Any 2xx response is healthy."
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
          placeholder={`${optionDefaults.healthInterval / second} s`}
          value={options.healthInterval}
          unit={second}
          suffix=" s"
          error={errorText(issuesOf('healthInterval'))}
          onChange={(next) => onChange('healthInterval', next)}
        />
        <AmountField
          label="Timeout"
          placeholder={`${optionDefaults.healthTimeout / second} s`}
          value={options.healthTimeout}
          unit={second}
          suffix=" s"
          error={errorText(issuesOf('healthTimeout'))}
          onChange={(next) => onChange('healthTimeout', next)}
        />
      </div>
      <p className={classes.hint}>The server restarts after three missed checks in a row.</p>
    </>
  );
}

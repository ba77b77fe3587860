import { Input, NumberInput, SegmentedControl, Switch, TextInput } from '@mantine/core';
import type { EntryIssue } from '../../../../../shared/model/import/import.ts';
import { idleStopOf, type OptionsDraft, optionDefaults } from '../../../../lib/entry/entry-options.ts';
import { errorText } from '../../../../lib/entry/field-issues.ts';
import { GuardChoice } from '../../../../ui/tool/guard-choice.tsx';
import classes from '../entry-form.module.css';
import { FallbackList } from './fallback-list.tsx';

/** Props of every option group: the options, their issues, and a way to change one. */
export interface OptionFieldsProps {
  readonly serverKey: string;
  readonly options: OptionsDraft;
  readonly issuesOf: (option: keyof OptionsDraft) => readonly EntryIssue[];
  readonly onChange: <N extends keyof OptionsDraft>(name: N, value: OptionsDraft[N]) => void;
}

const second = 1_000;
const minute = 60_000;

/** Edits when the server runs, for which clients, and how it is spoken to. */
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
          label="Maximum processes"
          description="Further clients get an error that says the server is busy."
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
      <Choice
        label="Protocol"
        description="Choose one only if the server fails when asked."
        value={options.protocol}
        error={errorText(issuesOf('protocol'))}
        onChange={(protocol) => onChange('protocol', protocol)}
        data={[
          { value: 'auto', label: 'Ask the server' },
          { value: 'legacy', label: 'With sessions' },
          { value: 'modern', label: 'Stateless' },
        ]}
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

/** Edits how calls are limited and what happens when a tool fails. */
export function CallFields({ serverKey, options, issuesOf, onChange }: OptionFieldsProps) {
  return (
    <>
      <AmountField
        label="Concurrent calls"
        description="Further calls wait their turn, in one queue per client."
        placeholder="No limit"
        value={options.concurrency}
        unit={1}
        suffix=""
        error={errorText(issuesOf('concurrency'))}
        onChange={(next) => onChange('concurrency', next)}
      />
      <FallbackList
        serverKey={serverKey}
        fallback={options.fallback}
        issues={issuesOf('fallback')}
        onChange={(fallback) => onChange('fallback', fallback)}
      />
    </>
  );
}

/** Chooses what happens when tool definitions are new or change. */
export function GuardFields({ options, issuesOf, onChange }: OptionFieldsProps) {
  return (
    <GuardChoice
      value={options.guard}
      error={errorText(issuesOf('guard'))}
      onChange={(mode) => onChange('guard', mode)}
    />
  );
}

interface AmountFieldProps {
  readonly label: string;
  readonly description?: string;
  /** The default, shown while the field is empty. */
  readonly placeholder: string;
  /** The stored value, and how many of its units make one shown unit. */
  readonly value: number | undefined;
  readonly unit: number;
  readonly suffix: string;
  readonly error: string | undefined;
  readonly onChange: (value: number | undefined) => void;
}

/** Edits a whole number in a human unit; empty means the default. */
function AmountField({ value, unit, error, onChange, ...field }: AmountFieldProps) {
  const shown = value === undefined ? '' : value / unit;
  return (
    <NumberInput
      {...field}
      size="xs"
      value={shown}
      error={error}
      min={1}
      allowNegative={false}
      // Only hand-written configs contain fractions; showing one must not round it.
      allowDecimal={typeof shown === 'number' && !Number.isInteger(shown)}
      onChange={(next) => onChange(Number(next) > 0 ? Math.round(Number(next) * unit) : undefined)}
    />
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly description: string;
  readonly value: T;
  readonly error: string | undefined;
  readonly data: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

/** Chooses one of two or three options, with a sentence about them. */
function Choice<T extends string>({ label, description, value, error, data, onChange }: ChoiceProps<T>) {
  return (
    <Input.Wrapper label={label} description={description} error={error} labelElement="div">
      <SegmentedControl
        fullWidth
        mt={5}
        size="xs"
        aria-label={label}
        value={value}
        onChange={onChange}
        data={[...data]}
      />
    </Input.Wrapper>
  );
}

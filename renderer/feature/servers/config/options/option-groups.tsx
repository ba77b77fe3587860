import { type ReactNode, useState } from 'react';
import type { EntryIssue } from '../../../../../shared/model/import/import.ts';
import {
  idleStopOf,
  type OptionsDraft,
  optionDefaults,
  readOptions,
  writeOption,
} from '../../../../lib/entry/entry-options.ts';
import { errorText, issuesOf } from '../../../../lib/entry/field-issues.ts';
import { formatCount } from '../../../../lib/text/format-amount.ts';
import { formatDuration } from '../../../../lib/text/format-time.ts';
import { Disclosure } from '../../../../ui/dialog/disclosure.tsx';
import {
  CallFields,
  GuardFields,
  HealthFields,
  type OptionFieldsProps,
  StartFields,
} from './option-fields.tsx';

interface OptionGroupsProps {
  readonly serverKey: string;
  readonly text: string;
  readonly issues: readonly EntryIssue[];
  readonly onText: (text: string) => void;
  /** True for a new server, whose tool-change option is shown elsewhere. */
  readonly isNew?: boolean;
}

type Options = readonly (keyof OptionsDraft)[];

const startOptions: Options = ['restart', 'start', 'isolation', 'maxInstances', 'idleStop', 'protocol'];
const healthOptions: Options = ['healthCheckUrl', 'healthInterval', 'healthTimeout'];
const callOptions: Options = ['concurrency', 'fallback'];
const guardOptions: Options = ['guard'];

/** Fields whose issues {@link OptionGroups} shows. */
export const optionFields = [...startOptions, ...healthOptions, ...callOptions, ...guardOptions].map(
  optionPath,
);

/** Edits how a server is run, checked and called. Groups are collapsed and summarize their settings. */
export function OptionGroups({ serverKey, text, issues, onText, isNew = false }: OptionGroupsProps) {
  const options = readOptions(text);
  const fields: OptionFieldsProps = {
    serverKey,
    options,
    issuesOf: (option) => issuesOf(issues, optionPath(option)),
    onChange: (name, value) => onText(writeOption(text, name, value)),
  };
  const hasErrors = (names: Options) => names.some((name) => errorText(fields.issuesOf(name)) !== undefined);
  return (
    <>
      <Group title="Start and stop" summary={startSummary(options)} bad={hasErrors(startOptions)}>
        <StartFields {...fields} />
      </Group>
      <Group title="Health checks" summary={healthSummary(options)} bad={hasErrors(healthOptions)}>
        <HealthFields {...fields} />
      </Group>
      <Group title="Calls" summary={callSummary(options)} bad={hasErrors(callOptions)}>
        <CallFields {...fields} />
      </Group>
      {!isNew && (
        <Group title="Tool review" summary={guardSummaries[options.guard]} bad={hasErrors(guardOptions)}>
          <GuardFields {...fields} />
        </Group>
      )}
    </>
  );
}

interface GroupProps {
  readonly title: string;
  readonly summary: string;
  readonly bad: boolean;
  readonly children: ReactNode;
}

function Group({ title, summary, bad, children }: GroupProps) {
  const [open, setOpen] = useState(false);
  const shown = bad ? 'Contains an error' : summary;
  return (
    <Disclosure title={title} summary={shown} bad={bad} open={open} onOpen={setOpen}>
      {children}
    </Disclosure>
  );
}

function optionPath(option: keyof OptionsDraft): string {
  return `patchbay.${option}`;
}

function startSummary(options: OptionsDraft): string {
  const idle = idleStopOf(options);
  return [
    options.start === 'auto' ? 'With Patchbay' : 'On first call',
    ...(idle === undefined ? [] : [`sleeps after ${formatDuration(idle)}`]),
    ...(options.isolation === 'shared' ? [] : ['one per client']),
    ...(options.restart === 'always' ? [] : ['no restart']),
    ...(options.protocol === 'auto' ? [] : [options.protocol === 'modern' ? 'stateless' : 'with sessions']),
  ].join(', ');
}

function healthSummary({
  healthCheckUrl,
  healthInterval = optionDefaults.healthInterval,
}: OptionsDraft): string {
  return `${healthCheckUrl === '' ? 'Ping' : 'URL'} every ${formatDuration(healthInterval)}`;
}

const guardSummaries: Readonly<Record<OptionsDraft['guard'], string>> = {
  changes: 'Asks when a change raises risk',
  each: 'Asks about every change',
  off: 'Never asks',
};

function callSummary({ concurrency, fallback }: OptionsDraft): string {
  const limit = concurrency === undefined ? 'No limit' : `${concurrency} at a time`;
  return fallback.length === 0 ? limit : `${limit}, ${formatCount(fallback.length, 'fallback')}`;
}

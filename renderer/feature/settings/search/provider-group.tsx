import { Button, Select, TextInput } from '@mantine/core';
import { Check } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { SearchTrial } from '../../../../shared/model/tool/search.ts';
import { openSettings } from '../../../command/navigate.ts';
import { type TrialState, tryProvider } from '../../../command/tool/search-actions.ts';
import { useSecrets } from '../../../store/hook/engine-hooks.ts';
import { useModel } from '../../../store/model-context.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { SettingRow } from '../setting-row.tsx';
import shared from '../settings-view.module.css';
import type { SaveState } from '../use-saved-setting.ts';
import {
  destinationText,
  draftOf,
  type ProviderChoice,
  type ProviderDraft,
  readDraft,
  type Source,
  sendsKeyUnencrypted,
  withKind,
} from './provider-draft.ts';
import classes from './search-page.module.css';

interface ProviderGroupProps<S extends Source> {
  readonly title: string;
  readonly label: string;
  readonly hint: string;
  readonly part: SearchTrial['part'];
  readonly choices: readonly ProviderChoice[];
  readonly source: S;
  /** Status of the provider in use. */
  readonly status?: ReactNode;
  readonly onSave: (source: S) => Promise<Problem | undefined>;
}

/**
 * Edits one provider: its kind, address and key. It can be tested before use, and the text says what it is
 * sent.
 */
export function ProviderGroup<S extends Source>(props: ProviderGroupProps<S>) {
  const { title, label, hint, part, choices, source, status, onSave } = props;
  const model = useModel();
  const id = useId();
  const [draft, setDraft] = useState(() => draftOf(source));
  const [saving, setSaving] = useState<SaveState>({ kind: 'idle' });
  const [trial, setTrial] = useState<TrialState>({ kind: 'untried' });
  const reading = readDraft<S>(draft, choices);
  const isBuiltIn = draft.kind === 'rules' || draft.kind === 'off';
  const isChanged = reading.kind !== 'ready' || JSON.stringify(reading.source) !== JSON.stringify(source);
  async function save(next: S): Promise<void> {
    setSaving({ kind: 'saving' });
    const problem = await onSave(next);
    // From now on the status of the saved provider is shown.
    setTrial({ kind: 'untried' });
    setSaving(problem === undefined ? { kind: 'saved' } : { kind: 'failed', problem });
  }
  function change(next: ProviderDraft): void {
    setDraft(next);
    setTrial({ kind: 'untried' });
    setSaving({ kind: 'idle' });
  }
  function choose(kind: string | null): void {
    const choice = choices.find((one) => one.kind === kind);
    if (choice === undefined) return;
    const next = withKind(draft, choice.kind, choices);
    change(next);
    // Local providers need no confirmation.
    const read = readDraft<S>(next, choices);
    if ((choice.kind === 'rules' || choice.kind === 'off') && read.kind === 'ready') void save(read.source);
  }
  async function test(tried: S): Promise<void> {
    setTrial({ kind: 'asking' });
    setTrial(await tryProvider(model, { part, source: tried } as SearchTrial));
  }
  return (
    <section className={shared.group} aria-label={title}>
      <h2 className={shared.title}>{title}</h2>
      <div className={shared.rows}>
        <SettingRow control={id} label={label} hint={hint} save={saving}>
          <Select
            id={id}
            size="xs"
            w={236}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            value={draft.kind}
            onChange={choose}
            data={choices.map(({ kind, label: text }) => ({ value: kind, label: text }))}
          />
        </SettingRow>
        {!isBuiltIn && (
          <div className={classes.provider}>
            {draft.kind !== 'sampling' && (
              <ProviderFields
                draft={draft}
                errors={reading.kind === 'incomplete' ? reading : {}}
                onChange={change}
              />
            )}
            <p className={classes.sent}>{sentDataText(part, draft)}</p>
            {!isChanged && trial.kind !== 'failed' && status}
            <TrialResult trial={trial} />
            <div className={classes.buttons}>
              <Button
                variant="default"
                disabled={reading.kind !== 'ready'}
                loading={trial.kind === 'asking'}
                onClick={() => reading.kind === 'ready' && void test(reading.source)}
              >
                Test
              </Button>
              <Button
                disabled={reading.kind !== 'ready' || !isChanged}
                loading={saving.kind === 'saving'}
                onClick={() => reading.kind === 'ready' && void save(reading.source)}
              >
                {isChanged ? 'Use it' : 'In use'}
              </Button>
            </div>
          </div>
        )}
      </div>
    </section>
  );
}

function sentDataText(part: SearchTrial['part'], { kind, url }: ProviderDraft): string {
  const what = 'The names, descriptions and parameter names of your tools';
  if (kind === 'sampling')
    return `${what} are sent to the model of a connected client that supports sampling. The client may ask you first, and it counts toward that client’s usage limits.`;
  const where = destinationText(url);
  return part === 'meaning'
    ? `${what}, and your searches, are sent to ${where}. Call results are not.`
    : `${what} are sent to ${where}. Call arguments and results are not.`;
}

interface ProviderFieldsProps {
  readonly draft: ProviderDraft;
  readonly errors: { readonly url?: string; readonly model?: string };
  readonly onChange: (draft: ProviderDraft) => void;
}

/** Edits address, model and key. The key is the name of a stored secret, never its value. */
function ProviderFields({ draft, errors: wrong, onChange }: ProviderFieldsProps) {
  const model = useModel();
  const secrets = useSecrets();
  const names = secrets.kind === 'known' ? secrets.value.secrets.map(({ name }) => name) : [];
  const all = draft.secret === null || names.includes(draft.secret) ? names : [...names, draft.secret];
  const isMissing = secrets.kind === 'known' && draft.secret !== null && !names.includes(draft.secret);
  return (
    <div className={classes.fields}>
      <TextInput
        label="Address"
        className={classes.wide ?? ''}
        value={draft.url}
        spellCheck={false}
        onChange={(event) => onChange({ ...draft, url: event.currentTarget.value })}
        error={draft.url === '' ? undefined : wrong.url}
      />
      <TextInput
        label="Model"
        value={draft.model}
        spellCheck={false}
        placeholder="Model name"
        onChange={(event) => onChange({ ...draft, model: event.currentTarget.value })}
      />
      <Select
        size="xs"
        label="Key"
        placeholder="None"
        clearable
        comboboxProps={{ withinPortal: false }}
        value={draft.secret}
        onChange={(secret) => onChange({ ...draft, secret })}
        data={[...all]}
        nothingFoundMessage="No secrets yet"
        error={isMissing ? 'This secret does not exist.' : undefined}
      />
      <Button variant="subtle" onClick={() => openSettings(model, 'secrets')}>
        Add a secret
      </Button>
      {sendsKeyUnencrypted(draft) && (
        <p className={classes.warning}>The key would be sent unencrypted. Use an https address.</p>
      )}
    </div>
  );
}

/** Shows the result of testing the provider. */
function TrialResult({ trial }: { trial: TrialState }) {
  if (trial.kind === 'failed') return <ProblemCard problem={trial.problem} about="test" open />;
  return (
    <p role="status" className={`row ${classes.answered}`}>
      {trial.kind === 'asking' && 'Testing…'}
      {trial.kind === 'answered' && (
        <>
          <Check size={13} aria-hidden /> It responded in {Math.max(1, Math.round(trial.milliseconds))} ms.
        </>
      )}
    </p>
  );
}

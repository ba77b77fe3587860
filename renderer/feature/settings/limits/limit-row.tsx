import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useId, useState } from 'react';
import type { LimitName, LimitView } from '../../../../shared/model/hub/limits.ts';
import type { Limits } from '../../../store/hook/engine-hooks.ts';
import { SettingRow } from '../setting-row.tsx';
import view from '../settings-view.module.css';
import type { SaveState } from '../use-saved-setting.ts';
import { amountText, hintText, readLimit, settingValue, shownLimit, unitLabels } from './limit-labels.ts';
import classes from './limits.module.css';

/** Shows one limit: its value, where the value comes from, and a button to reset it. */
export function LimitRow({ limit: stored, onSet }: { limit: LimitView; onSet: Limits['set'] }) {
  const limit = shownLimit(stored);
  const id = useId();
  const [state, save] = useSavedLimit(limit.name, onSet);
  const isFixed = limit.source === 'variable';
  return (
    <SettingRow
      control={id}
      label={limit.title}
      hint={<span id={`${id}-hint`}>{hintText(limit)}</span>}
      save={state}
    >
      <LimitForm
        id={id}
        limit={limit}
        isSaving={state.kind === 'saving'}
        onSave={(value) => save(settingValue(stored, value))}
      />
      {limit.chosen !== undefined && !isFixed && (
        <Button
          variant="subtle"
          aria-label={`Reset to the default: ${limit.title}`}
          title={`Back to ${amountText(limit.default, limit.unit)}`}
          onClick={() => void save(null)}
        >
          Reset
        </Button>
      )}
    </SettingRow>
  );
}

interface LimitFormProps {
  readonly id: string;
  readonly limit: LimitView;
  readonly isSaving: boolean;
  readonly onSave: (value: number) => Promise<boolean>;
}

/** Edits the value, validated here before the hub does. A value from an environment variable is read-only. */
function LimitForm({ id, limit, isSaving, onSave }: LimitFormProps) {
  const [text, setText] = useState(String(limit.value));
  useEffect(() => setText(String(limit.value)), [limit.value]);
  const isFixed = limit.source === 'variable';
  const reading = readLimit(text, limit);
  const isChanged = text.trim() !== String(limit.value);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (reading.ok && isChanged) void onSave(reading.value);
  }
  return (
    <form className={view.port} onSubmit={submit}>
      <TextInput
        id={id}
        w={132}
        size="xs"
        inputMode={limit.whole ? 'numeric' : 'decimal'}
        readOnly={isFixed}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        rightSection={<span className={classes.unit}>{unitLabels[limit.unit] ?? limit.unit}</span>}
        rightSectionWidth={62}
        aria-invalid={!reading.ok}
        aria-describedby={reading.ok ? `${id}-hint` : `${id}-reason`}
        error={!reading.ok}
        data-fixed={isFixed}
      />
      {isChanged && (
        <Button type="submit" disabled={!reading.ok} loading={isSaving} aria-label={`Save: ${limit.title}`}>
          Save
        </Button>
      )}
      {!reading.ok && (
        <p id={`${id}-reason`} className={view.reason} role="alert">
          {reading.reason}
        </p>
      )}
    </form>
  );
}

/** Sets one limit, or resets it with null. "Saved" shows for a moment, a problem until the next attempt. */
function useSavedLimit(
  name: LimitName,
  set: Limits['set'],
): readonly [SaveState, (value: number | null) => Promise<boolean>] {
  const [state, setState] = useState<SaveState>({ kind: 'idle' });
  useEffect(() => {
    if (state.kind !== 'saved') return;
    const timer = setTimeout(() => setState({ kind: 'idle' }), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  async function save(value: number | null): Promise<boolean> {
    setState({ kind: 'saving' });
    const problem = await set(name, value);
    setState(problem === undefined ? { kind: 'saved' } : { kind: 'failed', problem });
    return problem === undefined;
  }
  return [state, save];
}

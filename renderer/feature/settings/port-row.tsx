import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { useStore } from 'zustand/react';
import type { Settings } from '../../../shared/schema/settings.ts';
import { useModel } from '../../store/model-context.tsx';
import { readPort } from './read-port.ts';
import { SettingRow } from './setting-row.tsx';
import classes from './settings-view.module.css';
import { useSavedSetting } from './use-saved-setting.ts';

/** Edits the port of the HTTP endpoint. It is validated here first, then by opening it. */
export function PortRow({ settings }: { settings: Settings }) {
  const id = useId();
  const endpoint = useStore(useModel().mirrors.hub, (hub) => hub?.endpoint);
  const [text, setText] = useState(String(settings.port));
  const [state, save] = useSavedSetting();
  useEffect(() => setText(String(settings.port)), [settings.port]);
  const reading = readPort(text);
  const changed = text.trim() !== String(settings.port);
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (reading.ok && changed) void save({ port: reading.port });
  }
  const hint =
    endpoint === undefined
      ? 'The HTTP endpoint is not running.'
      : 'HTTP on 127.0.0.1. Entries you have copied into clients use this port.';
  return (
    <SettingRow control={id} label="Port" hint={hint} save={state}>
      <form className={classes.port} onSubmit={submit}>
        <TextInput
          id={id}
          w={96}
          size="xs"
          inputMode="numeric"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          aria-invalid={!reading.ok}
          aria-describedby={reading.ok ? undefined : `${id}-reason`}
          error={!reading.ok}
        />
        {changed && (
          <Button type="submit" disabled={!reading.ok} loading={state.kind === 'saving'}>
            Save
          </Button>
        )}
        {!reading.ok && (
          <p id={`${id}-reason`} className={classes.reason} role="alert">
            {reading.reason}
          </p>
        )}
      </form>
    </SettingRow>
  );
}

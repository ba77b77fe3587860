import { Button, Select, TextInput } from '@mantine/core';
import { openSettings } from '../../../command/navigate.ts';
import { useSecrets } from '../../../store/hook/engine-hooks.ts';
import { useModel } from '../../../store/model-context.tsx';
import { type ProviderDraft, sendsKeyUnencrypted } from './provider-draft.ts';
import classes from './search-page.module.css';

interface ProviderFieldsProps {
  readonly draft: ProviderDraft;
  readonly errors: { readonly url?: string; readonly model?: string };
  readonly onChange: (draft: ProviderDraft) => void;
}

/** Edits address, model and key. The key is the name of a stored secret, never its value. */
export function ProviderFields({ draft, errors: wrong, onChange }: ProviderFieldsProps) {
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
      <Button className={classes.add ?? ''} variant="subtle" onClick={() => openSettings(model, 'secrets')}>
        Add a secret
      </Button>
      {sendsKeyUnencrypted(draft) && (
        <p className={classes.warning}>The key would be sent unencrypted. Use an https address.</p>
      )}
    </div>
  );
}

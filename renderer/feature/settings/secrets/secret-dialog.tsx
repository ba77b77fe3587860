import { Button, PasswordInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import { storeSecret } from '../../../command/app/secret-actions.ts';
import { secretNameError } from '../../../lib/entry/secret-name-error.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Dialog, DialogFoot } from '../../../ui/dialog/dialog.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from './secrets-page.module.css';

interface SecretDialogProps {
  /** The name, if it is fixed. */
  readonly name?: string;
  readonly replace?: boolean;
  readonly taken: readonly string[];
  readonly onClose: () => void;
}

/** Stores a typed or pasted value; servers that use it restart. */
export function SecretDialog({ name: fixedName, replace = false, taken, onClose }: SecretDialogProps) {
  const model = useModel();
  const [name, setName] = useState(fixedName ?? '');
  const [value, setValue] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const nameError = fixedName === undefined && name !== '' ? secretNameError(name, taken) : undefined;
  const ready = name !== '' && value !== '' && nameError === undefined && !busy;
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!ready) return;
    setBusy(true);
    const failed = await storeSecret(model, { name, value, replace });
    setBusy(false);
    if (failed === undefined) onClose();
    else setProblem(failed);
  }
  return (
    <Dialog title={titleOf(fixedName, replace)} onClose={onClose} size={460}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <div className={classes.fields}>
          {fixedName === undefined && (
            <TextInput
              label="Name"
              description="Servers refer to it as ${secret:NAME}."
              placeholder="GITHUB_TOKEN"
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={nameError}
              classNames={{ input: classes.code ?? '' }}
              spellCheck={false}
              data-autofocus
            />
          )}
          <PasswordInput
            size="xs"
            label="Value"
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
            classNames={{ innerInput: classes.code ?? '' }}
            autoComplete="off"
            spellCheck={false}
            data-autofocus={fixedName === undefined ? undefined : true}
          />
          {problem !== undefined && <ProblemCard problem={problem} about={name} />}
        </div>
        <DialogFoot note={replace ? 'Servers that use it restart.' : 'Stored encrypted.'}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!ready}>
            {replace ? 'Replace value' : 'Save'}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

function titleOf(name: string | undefined, replace: boolean): string {
  if (name === undefined) return 'Add secret';
  return replace ? `New value for ${name}` : `Value of ${name}`;
}

import { Button, Checkbox, TextInput } from '@mantine/core';
import { ListChecks } from 'lucide-react';
import { useState } from 'react';
import type { CheckInput, TestAnswer, TestTarget } from '../../../../shared/model/tool/tester.ts';
import { addCheck } from '../../../command/tester-actions.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Dialog, DialogFoot } from '../../../ui/dialog/dialog.tsx';
import classes from './save-check.module.css';

interface SaveCheckProps {
  readonly target: TestTarget;
  readonly answer: TestAnswer;
  readonly sent: string;
}

/** Saves a run as a check that can be repeated, for example after a server update. */
export function SaveCheck({ target, answer, sent }: SaveCheckProps) {
  const [open, setOpen] = useState(false);
  const { outcome } = answer;
  const isFinal = outcome === 'ok' || outcome === 'tool-error' || outcome === 'error';
  if (!isFinal) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<ListChecks size={13} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        Save as check
      </Button>
      {open && (
        <CheckDialog
          target={target}
          answer={answer}
          sent={sent}
          outcome={outcome}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface CheckDialogProps extends SaveCheckProps {
  readonly outcome: CheckInput['expects']['outcome'];
  readonly onClose: () => void;
}

const outcomeLabels = {
  ok: 'A result is returned',
  'tool-error': 'The tool reports an error',
  error: 'The server returns an error',
} as const;

function CheckDialog({ target, answer, sent, outcome, onClose }: CheckDialogProps) {
  const model = useModel();
  const [title, setTitle] = useState(target.name);
  const [byShape, setByShape] = useState(answer.whole);
  const [contains, setContains] = useState('');

  async function save(): Promise<void> {
    const expects = {
      outcome,
      ...(byShape ? { shape: answer.text } : {}),
      ...(contains === '' ? {} : { contains }),
    };
    if (await addCheck(model, { title: title.trim(), target, arguments: sent, expects })) onClose();
  }

  return (
    <Dialog title="Save as check" onClose={onClose} size={460}>
      <div className={classes.body}>
        <TextInput
          label="Name"
          value={title}
          maxLength={200}
          data-autofocus
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <fieldset className={classes.expects}>
          <legend>What is expected</legend>
          <Checkbox checked readOnly disabled label={outcomeLabels[outcome]} />
          <Checkbox
            checked={byShape}
            disabled={!answer.whole}
            label="The result has these fields and types"
            description="Their values may differ."
            onChange={(event) => setByShape(event.currentTarget.checked)}
          />
          <TextInput
            label="The result contains"
            placeholder="Any text"
            value={contains}
            onChange={(event) => setContains(event.currentTarget.value)}
          />
        </fieldset>
        <p className="dim tiny">
          The arguments are stored unencrypted in checks.json in the data folder. Do not include secrets.
        </p>
      </div>
      <DialogFoot>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={title.trim() === ''} onClick={() => void save()}>
          Save
        </Button>
      </DialogFoot>
    </Dialog>
  );
}

import { Button, Checkbox, PasswordInput } from '@mantine/core';
import { Save } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import { minPassphraseLength } from '../../../../shared/model/hub/backup.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { useModel } from '../../../store/model-context.tsx';
import { closeDialog } from '../../../store/view-store.ts';
import { Dialog, DialogFoot } from '../../../ui/dialog/dialog.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import classes from './backup.module.css';

/** Saves the whole setup in one file; stored secrets only with a passphrase. */
export function BackupDialog() {
  const { link, notify, view } = useModel();
  const [withSecrets, setWithSecrets] = useState(false);
  const [passphrase, setPassphrase] = useState('');
  const [confirmation, setAgain] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const isShort = passphrase.length < minPassphraseLength;
  const isDifferent = confirmation !== '' && confirmation !== passphrase;
  const ready = !busy && (!withSecrets || (!isShort && confirmation === passphrase));
  const close = () => closeDialog(view);

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!ready) return;
    setBusy(true);
    const answer = await link.call('app.saveBackup', withSecrets ? { passphrase } : {});
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.problem);
    if (!answer.ok || !('file' in answer.value)) return;
    const { file, servers, secrets } = answer.value;
    const secretsText = withSecrets ? ` and ${formatCount(secrets, 'secret')}` : ', no stored secrets';
    notify.done(`Backup with ${formatCount(servers, 'server')}${secretsText} saved as ${file}.`);
    close();
  }

  return (
    <Dialog title="Back up Patchbay" onClose={close} size={500}>
      <form onSubmit={(event) => void save(event)} noValidate>
        <div className={classes.body}>
          <p className={classes.text}>
            Saves your servers, settings, profiles, access rules, reviewed tools and saved checks in one file.
            Activity, logs and your clients’ own files are not included.
          </p>
          <Checkbox
            label="Include secrets"
            description="Stored secrets and sign-ins, encrypted with a passphrase. Without them, you enter each value again after a restore."
            checked={withSecrets}
            onChange={(event) => setWithSecrets(event.currentTarget.checked)}
            data-autofocus
          />
          {withSecrets && (
            <div className="grid gap-12">
              <PasswordInput
                size="xs"
                label="Passphrase"
                description={`At least ${minPassphraseLength} characters. Patchbay cannot recover a lost passphrase.`}
                value={passphrase}
                onChange={(event) => setPassphrase(event.currentTarget.value)}
                error={
                  passphrase !== '' && confirmation !== '' && isShort
                    ? 'The passphrase is too short.'
                    : undefined
                }
                autoComplete="new-password"
                spellCheck={false}
              />
              <PasswordInput
                size="xs"
                label="Confirm passphrase"
                value={confirmation}
                onChange={(event) => setAgain(event.currentTarget.value)}
                error={isDifferent ? 'The passphrases do not match.' : undefined}
                autoComplete="new-password"
                spellCheck={false}
              />
            </div>
          )}
          <p className="dim small">
            Keys written directly in a server’s config are saved unencrypted. Keep the file where only you can
            read it.
          </p>
          {problem !== undefined && <ProblemCard problem={problem} about="Backup" />}
        </div>
        <DialogFoot>
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" leftSection={<Save size={14} aria-hidden />} disabled={!ready} loading={busy}>
            Save…
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}

import { Button, Skeleton } from '@mantine/core';
import { KeyRound, Plus, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand/react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { SecretKeeper } from '../../../../shared/model/hub/hub.ts';
import type { SecretsView, SecretUse } from '../../../../shared/model/hub/secret.ts';
import { deleteSecret, deleteUnused } from '../../../command/app/secret-actions.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { joinWords } from '../../../lib/text/join-words.ts';
import { useSecrets } from '../../../store/hook/engine-hooks.ts';
import { knownValue } from '../../../store/hook/use-engine.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Dialog, DialogFoot } from '../../../ui/dialog/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { SettingsHeader } from '../settings-header.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { MissingRow, SecretRow } from './secret-row.tsx';
import classes from './secrets-page.module.css';

/** The open dialog; `enter` is for a name that servers refer to but that has no value. */
type SecretAction =
  | { readonly kind: 'add' }
  | { readonly kind: 'enter' | 'replace' | 'delete'; readonly name: string };

/** Shows the vault: every secret by name, with the servers that use it. Values are never shown. */
export function SecretsPage() {
  const state = useSecrets();
  const [action, setAction] = useState<SecretAction>();
  const view = knownValue(state);
  return (
    <>
      <SettingsHeader page="secrets" note={view && formatCount(view.secrets.length, 'secret')}>
        <Button leftSection={<Plus size={14} aria-hidden />} onClick={() => setAction({ kind: 'add' })}>
          Add secret
        </Button>
      </SettingsHeader>
      <ScrollRegion label="Secrets" className={`pane ${classes.scroll}`}>
        <div className={classes.column}>
          {state.kind === 'loading' && <Loading />}
          {state.kind === 'failed' && <ProblemCard problem={state.problem} />}
          {view !== undefined && <Vault view={view} onAction={setAction} />}
        </div>
      </ScrollRegion>
      {action !== undefined && (
        <ActionDialog action={action} view={view} onClose={() => setAction(undefined)} />
      )}
    </>
  );
}

function Vault({ view, onAction }: { view: SecretsView; onAction: (doing: SecretAction) => void }) {
  if (view.secrets.length === 0 && view.missing.length === 0) {
    return (
      <EmptyState
        icon={KeyRound}
        title="No secrets yet"
        text={
          <>
            Type a token or password once. It is stored encrypted, and servers refer to it by name, as{' '}
            <code>{`\${secret:NAME}`}</code>, so the config file contains no secrets.
          </>
        }
      >
        <Button size="sm" onClick={() => onAction({ kind: 'add' })}>
          Add secret
        </Button>
      </EmptyState>
    );
  }
  return (
    <>
      <EncryptionNote />
      <ul className={classes.list} aria-label="Stored and missing secrets">
        {view.missing.map((missing) => (
          <MissingRow
            key={missing.name}
            missing={missing}
            onEnter={() => onAction({ kind: 'enter', name: missing.name })}
          />
        ))}
        {view.secrets.map((secret) => (
          <SecretRow
            key={secret.name}
            secret={secret}
            onReplace={() => onAction({ kind: 'replace', name: secret.name })}
            onDelete={() => onAction({ kind: 'delete', name: secret.name })}
          />
        ))}
      </ul>
      <Unused names={view.secrets.filter(({ usedBy }) => usedBy.length === 0).map(({ name }) => name)} />
    </>
  );
}

/** Offers to delete unused secrets, which stay when their servers are removed; nothing if all are in use. */
function Unused({ names }: { names: readonly string[] }) {
  const model = useModel();
  if (names.length === 0) return null;
  return (
    <div className={classes.unused}>
      <Notice
        label="Unused secrets"
        tone="quiet"
        icon={<KeyRound size={16} />}
        title={`${formatCount(names.length, 'secret')} not used by any server`}
        text="Removing a server does not delete its secrets."
        actions={
          <Button variant="default" onClick={() => deleteUnused(model, names)}>
            {names.length === 1 ? 'Delete it…' : `Delete all ${names.length}…`}
          </Button>
        }
      />
    </div>
  );
}

interface ActionDialogProps {
  readonly action: SecretAction;
  readonly view: SecretsView | undefined;
  readonly onClose: () => void;
}

function ActionDialog({ action: doing, view, onClose }: ActionDialogProps) {
  switch (doing.kind) {
    case 'add':
      return <SecretDialog taken={view?.secrets.map(({ name }) => name) ?? []} onClose={onClose} />;
    case 'enter':
      return <SecretDialog name={doing.name} taken={[]} onClose={onClose} />;
    case 'replace':
      return <SecretDialog name={doing.name} replace taken={[]} onClose={onClose} />;
    case 'delete': {
      const usedBy = view?.secrets.find(({ name }) => name === doing.name)?.usedBy ?? [];
      return <DeleteSecretDialog name={doing.name} usedBy={usedBy} onClose={onClose} />;
    }
  }
}

function Loading() {
  return (
    <div role="status" aria-label="Loading secrets">
      <Skeleton height={64} radius={10} />
      <Skeleton height={64} radius={10} mt={10} />
    </div>
  );
}

interface DeleteSecretDialogProps {
  readonly name: string;
  readonly usedBy: readonly SecretUse[];
  readonly onClose: () => void;
}

/** Confirms deleting a secret, whose value cannot be restored. */
function DeleteSecretDialog({ name, usedBy, onClose }: DeleteSecretDialogProps) {
  const model = useModel();
  const [problem, setProblem] = useState<Problem>();
  async function run(): Promise<void> {
    const failed = await deleteSecret(model, name);
    if (failed === undefined) onClose();
    else setProblem(failed);
  }
  const users = usedBy.map(({ key }) => key);
  return (
    <Dialog title={`Delete ${name}?`} onClose={onClose} size={440}>
      <div className={classes.fields}>
        <p>
          {users.length === 0
            ? 'No server uses it. The value cannot be restored.'
            : `${joinWords(users, 4)} cannot start without it. The value cannot be restored.`}
        </p>
        {problem !== undefined && <ProblemCard problem={problem} about={name} />}
      </div>
      <DialogFoot>
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep it
        </Button>
        <Button variant="light" color="red" onClick={() => void run()}>
          Delete
        </Button>
      </DialogFoot>
    </Dialog>
  );
}

/** Says how the secrets are protected. */
function EncryptionNote() {
  const keeper = useStore(useModel().mirrors.hub, (hub) => hub?.secretsKeptBy);
  if (keeper === undefined) return null;
  const Icon = keeper === 'keychain' ? ShieldCheck : KeyRound;
  return (
    <p className={classes.keeper} data-keeper={keeper}>
      <Icon size={15} aria-hidden />
      <span>{notes[keeper]}</span>
    </p>
  );
}

const notes: Readonly<Record<SecretKeeper, string>> = {
  keychain: 'Encrypted with a key from your system keychain.',
  'key-file':
    'No system keychain found. Secrets are encrypted, but the key is stored next to them: anyone who can read your files can decrypt them.',
  'key-env': 'No system keychain found. Secrets are encrypted with the key in PATCHBAY_KEY.',
};

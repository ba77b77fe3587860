import { Button, TextInput } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { Problem } from '../../../../../shared/error/problem.ts';
import type { EntryIssue } from '../../../../../shared/model/import/import.ts';
import type { PlainSecret } from '../../../../lib/entry/move-secret.ts';
import { secretNameError } from '../../../../lib/entry/secret-name-error.ts';
import { useSecrets } from '../../../../store/hook/engine-hooks.ts';
import { ProblemCard } from '../../../../ui/problem-card.tsx';
import classes from './secret-hints.module.css';
import type { SecretMover } from './use-secret-moves.ts';

interface SecretHintsProps {
  readonly issues: readonly EntryIssue[];
  readonly onMove: SecretMover;
}

/** Lists plain-text secrets in the entry, each with a button that moves it to the vault. */
export function SecretHints({ issues, onMove }: SecretHintsProps) {
  const found = issues.flatMap(({ path, secret }) => (secret === undefined ? [] : [{ path, secret }]));
  if (found.length === 0) return null;
  return (
    <section className={classes.hints} aria-label="Secrets in plain text">
      <p className={`row ${classes.title}`}>
        <KeyRound size={14} aria-hidden />
        {found.length === 1
          ? 'This config contains a secret in plain text'
          : 'This config contains secrets in plain text'}
      </p>
      {found.map(({ path, secret }) => (
        <Hint key={`${path} ${secret.from}`} path={path} secret={secret} onMove={onMove} />
      ))}
    </section>
  );
}

interface HintProps {
  readonly path: string;
  readonly secret: PlainSecret;
  readonly onMove: SecretMover;
}

function Hint({ path, secret, onMove }: HintProps) {
  const [asking, setAsking] = useState(false);
  return (
    <div className={`row ${classes.hint}`}>
      <code className={classes.path}>{path}</code>
      {asking ? (
        <SecretNameForm secret={secret} onMove={onMove} onClose={() => setAsking(false)} />
      ) : (
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => setAsking(true)}
          aria-label={`Store ${path} as a secret`}
        >
          Store as a secret
        </Button>
      )}
    </div>
  );
}

interface SecretNameFormProps extends Omit<HintProps, 'path'> {
  readonly onClose: () => void;
}

/** Asks for the secret's name, stores it, and replaces it with a reference. */
function SecretNameForm({ secret, onMove, onClose }: SecretNameFormProps) {
  const secrets = useSecrets();
  const [name, setName] = useState(secret.name);
  const [problem, setProblem] = useState<Problem>();
  const taken = secrets.kind === 'known' ? secrets.value.secrets.map((one) => one.name) : [];
  const error = secretNameError(name, taken);
  async function move(): Promise<void> {
    const failed = await onMove(secret, name);
    if (failed === undefined) onClose();
    else setProblem(failed);
  }
  return (
    <div className={classes.naming}>
      <TextInput
        aria-label="Name of the secret"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.stopPropagation();
            onClose();
          }
          if (event.key === 'Enter') {
            event.preventDefault();
            if (error === undefined) void move();
          }
        }}
        error={error}
        classNames={{ root: classes.nameField ?? '', input: classes.code ?? '' }}
        spellCheck={false}
        autoFocus
      />
      <Button size="compact-sm" disabled={error !== undefined} onClick={() => void move()}>
        Store
      </Button>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={onClose}>
        Cancel
      </Button>
      {problem !== undefined && <ProblemCard problem={problem} about={name} />}
    </div>
  );
}

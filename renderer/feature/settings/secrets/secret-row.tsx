import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { MissingSecret, SecretUse, SecretView } from '../../../../shared/model/hub/secret.ts';
import { openServer } from '../../../command/navigate.ts';
import { useModel } from '../../../store/model-context.tsx';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import { Ago } from '../../../ui/text/time-text.tsx';
import classes from './secrets-page.module.css';

interface SecretRowProps {
  readonly secret: SecretView;
  readonly onReplace: () => void;
  readonly onDelete: () => void;
}

/** Shows a stored secret: which servers use it, when it was stored, and its actions. */
export function SecretRow({ secret, onReplace, onDelete }: SecretRowProps) {
  const { name, usedBy, storedAt, readable } = secret;
  return (
    <Row
      name={name}
      value={
        readable ? (
          <span className={classes.dots} role="img" aria-label="The value is hidden">
            ••••••••
          </span>
        ) : (
          <span className={classes.bad}>The key for this secret is missing; enter the value again.</span>
        )
      }
      usedBy={usedBy}
      note={
        storedAt !== undefined && (
          <span>
            Stored <Ago at={storedAt} />
          </span>
        )
      }
    >
      <Button variant="default" onClick={onReplace} aria-label={`Replace the value of ${name}`}>
        {readable ? 'Replace value' : 'Enter value'}
      </Button>
      <Tooltip label="Delete">
        <ActionIcon onClick={onDelete} aria-label={`Delete ${name}`}>
          <Trash2 size={15} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </Row>
  );
}

/** Shows a secret that servers refer to but that has no value. */
export function MissingRow({ missing, onEnter }: { missing: MissingSecret; onEnter: () => void }) {
  return (
    <Row
      name={missing.name}
      value={<span className={classes.bad}>Missing: its servers cannot start.</span>}
      usedBy={missing.usedBy}
    >
      <Button onClick={onEnter} aria-label={`Enter the value of ${missing.name}`}>
        Enter value
      </Button>
    </Row>
  );
}

interface RowProps {
  readonly name: string;
  readonly value: ReactNode;
  readonly usedBy: readonly SecretUse[];
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

function Row({ name, value, usedBy, note, children }: RowProps) {
  return (
    <li className={`row ${classes.row}`}>
      <div className={classes.words}>
        <p className={`row ${classes.name}`}>
          <code className="selectable">{name}</code>
          <CopyButton text={() => `\${secret:${name}}`} label={`Copy the reference to ${name}`} />
          {value}
        </p>
        <p className={classes.hint}>
          <Users usedBy={usedBy} />
          {note}
        </p>
      </div>
      <div className="row fixed gap-6">{children}</div>
    </li>
  );
}

function Users({ usedBy }: { usedBy: readonly SecretUse[] }) {
  const model = useModel();
  if (usedBy.length === 0) return <span>Not used by any server</span>;
  return (
    <span className={classes.users}>
      Used by
      {usedBy.map(({ key, fields }) => (
        <Tooltip key={key} label={fields.join(', ')}>
          <button
            type="button"
            className={`bare ${classes.user}`}
            onClick={() => openServer(model, key, 'config')}
          >
            {key}
          </button>
        </Tooltip>
      ))}
    </span>
  );
}

import { Button, Switch } from '@mantine/core';
import type { ClientView } from '../../../../shared/model/client/client.ts';
import { openClientDetail } from '../../../command/client/client-actions.ts';
import { switchClientCompact } from '../../../command/client/compact-actions.ts';
import { clientTitle } from '../../../lib/server/client-title.ts';
import { useModel } from '../../../store/model-context.tsx';
import classes from './compact.module.css';

/** Turns compact mode on or off for a client; read-only where the client's own config sets it. */
export function CompactSwitch({ client }: { client: ClientView }) {
  const model = useModel();
  const { id, name, compact, profile } = client;
  if (compact === 'entry')
    return <p className="dim small">Compact mode is on, set by the client’s own config.</p>;
  if (name === '') return null;
  return (
    <div className={`row ${classes.onCard}`}>
      <Switch
        size="xs"
        label={compact === 'profile' ? 'Compact mode (set by its profile)' : 'Compact mode'}
        aria-label={`Compact mode of ${clientTitle(client)}`}
        description="A few tools that find and call all others, instead of the full list"
        checked={compact !== undefined}
        onChange={(event) =>
          void switchClientCompact(model, { name, profile: profile?.name }, event.currentTarget.checked)
        }
      />
      <Button
        variant="subtle"
        size="compact-xs"
        aria-label={`What compact mode saves for ${clientTitle(client)}`}
        onClick={() => openClientDetail(model, id, 'compact')}
      >
        What it saves
      </Button>
    </div>
  );
}

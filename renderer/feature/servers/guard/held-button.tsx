import { Button } from '@mantine/core';
import { ShieldAlert } from 'lucide-react';
import type { ServerView } from '../../../../shared/model/server.ts';
import { reviewTools } from '../../../command/guard-actions.ts';
import { formatCount } from '../../../lib/format-amount.ts';
import { useModel, useServerTitle } from '../../../store/model-context.tsx';
import classes from './held-button.module.css';

/** Shows how many tools of a server need review; nothing if none do. */
export function ReviewButton({ server }: { server: Pick<ServerView, 'key' | 'heldTools'> }) {
  const model = useModel();
  const title = useServerTitle(server.key);
  const waiting = server.heldTools?.waiting ?? 0;
  if (waiting === 0) return null;
  return (
    <Button
      variant="default"
      size="compact-xs"
      className={classes.held ?? ''}
      leftSection={<ShieldAlert size={12} aria-hidden />}
      aria-label={`Review ${formatCount(waiting, 'changed tool')} of ${title}`}
      onClick={() => reviewTools(model, server.key)}
    >
      {formatCount(waiting, 'tool')} changed
    </Button>
  );
}

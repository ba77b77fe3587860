import { Button } from '@mantine/core';
import { ShieldAlert } from 'lucide-react';
import type { ServerView } from '../../../../shared/model/server.ts';
import { reviewTools } from '../../../command/guard-actions.ts';
import { formatCount } from '../../../lib/format-amount.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Notice } from '../../../ui/notice.tsx';

/** That tools of a server are held, and the way to decide about them; small where only some are kept away. */
export function HeldNotice({ server }: { server: ServerView }) {
  const model = useModel();
  const { key, heldTools } = server;
  if (heldTools === undefined) return null;
  const { waiting, blocked } = heldTools;
  const isWaiting = waiting > 0;
  return (
    <Notice
      label="Held tools"
      tone={isWaiting ? 'accent' : 'quiet'}
      icon={<ShieldAlert size={16} />}
      title={
        isWaiting
          ? `${formatCount(waiting, 'tool')} with a change that needs your approval`
          : `${formatCount(blocked, 'tool')} kept away from clients`
      }
      text={
        isWaiting
          ? 'Clients do not get them, and calls of them are refused, until you have seen what is different.'
          : 'As you decided. You are asked again when they change.'
      }
      actions={
        <Button variant={isWaiting ? 'filled' : 'default'} onClick={() => reviewTools(model, key)}>
          {isWaiting ? 'Review' : 'Look again'}
        </Button>
      }
    />
  );
}

import { Button } from '@mantine/core';
import { ShieldAlert } from 'lucide-react';
import type { ServerView } from '../../../../shared/model/server.ts';
import { reviewTools } from '../../../command/guard-actions.ts';
import { formatCount } from '../../../lib/format-amount.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Notice } from '../../../ui/notice.tsx';

/** Notes that tools are quarantined and opens the review; low-key if all of them are blocked already. */
export function QuarantineNotice({ server }: { server: ServerView }) {
  const model = useModel();
  const { key, heldTools } = server;
  if (heldTools === undefined) return null;
  const { waiting, blocked } = heldTools;
  const isWaiting = waiting > 0;
  return (
    <Notice
      label="Tools to review"
      tone={isWaiting ? 'warning' : 'quiet'}
      icon={<ShieldAlert size={16} />}
      title={
        isWaiting
          ? `${formatCount(waiting, 'changed tool')} ${waiting === 1 ? 'needs' : 'need'} your review`
          : `${formatCount(blocked, 'tool')} blocked`
      }
      text={
        isWaiting
          ? 'They are hidden from clients until you review them.'
          : blocked === 1
            ? 'You’ll be asked again if it changes.'
            : 'You’ll be asked again if they change.'
      }
      actions={
        <Button variant={isWaiting ? 'filled' : 'default'} onClick={() => reviewTools(model, key)}>
          Review
        </Button>
      }
    />
  );
}

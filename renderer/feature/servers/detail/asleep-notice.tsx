import { Moon } from 'lucide-react';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import { formatBytes } from '../../../lib/text/format-amount.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Lasting } from '../../../ui/text/time-text.tsx';

/**
 * Explains why a healthy server is not running, how much memory that saves, and that nothing needs to be
 * done.
 */
export function AsleepNotice({ server }: { server: ServerView }) {
  const { asleep, counts } = server;
  if (asleep === undefined) return null;
  const { memorySaved, since } = asleep;
  return (
    <Notice
      label="Asleep"
      tone="quiet"
      icon={<Moon size={16} />}
      title={memorySaved === undefined ? 'Asleep' : `Asleep, ${formatBytes(memorySaved)} saved`}
      text={
        <>
          For <Lasting since={since} />.{' '}
          {counts.tools === 0
            ? 'Tools are not known yet: wake the server once so that clients can see them.'
            : 'Tools stay listed; the next call wakes the server.'}
        </>
      }
    />
  );
}

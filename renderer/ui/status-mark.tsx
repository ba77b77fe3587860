import {
  CircleCheck,
  CircleDashed,
  CirclePower,
  KeyRound,
  LoaderCircle,
  type LucideIcon,
  Moon,
  OctagonX,
  TriangleAlert,
} from 'lucide-react';
import type { ServerView } from '../../shared/model/server.ts';
import { type ShownStatus, serverLook, shownStatus } from '../lib/server-status.ts';
import classes from './status-mark.module.css';

/** Each status has a shape of its own, so that colour is never the only difference. */
const icons: Readonly<Record<ShownStatus, LucideIcon>> = {
  connected: CircleCheck,
  connecting: LoaderCircle,
  degraded: TriangleAlert,
  'needs-auth': KeyRound,
  error: OctagonX,
  disconnected: CircleDashed,
  asleep: Moon,
  disabled: CirclePower,
};

/** A server's state as icon and word; `compact` leaves the word to screen readers. */
export function StatusMark({
  server,
  compact = false,
}: {
  server: Pick<ServerView, 'status' | 'asleep'>;
  compact?: boolean;
}) {
  const status = shownStatus(server);
  const Icon = icons[status];
  const { label, tone } = serverLook(server);
  return (
    <span className={classes.mark} data-tone={tone} title={compact ? label : undefined}>
      <Icon className={classes.icon} data-spin={status === 'connecting'} size={15} aria-hidden />
      <span className={compact ? 'visually-hidden' : classes.word}>{label}</span>
    </span>
  );
}

import {
  CircleCheck,
  CircleDashed,
  CirclePower,
  KeyRound,
  LoaderCircle,
  type LucideIcon,
  Moon,
  OctagonX,
  ShieldAlert,
  TriangleAlert,
} from 'lucide-react';
import type { ServerView } from '../../shared/model/server/server.ts';
import { hasToolsToReview, type ShownStatus, serverLook, shownStatus } from '../lib/server/server-status.ts';
import classes from './status-mark.module.css';

/** Each status has its own shape, so that colour is never the only difference. */
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

/**
 * Shows a server's state as icon and text, or that its tools need review; `compact` hides the text except
 * from screen readers.
 */
export function StatusMark({
  server,
  compact = false,
}: {
  server: Pick<ServerView, 'status' | 'asleep' | 'enabled' | 'heldTools'>;
  compact?: boolean;
}) {
  const status = shownStatus(server);
  const isReviewed = status !== 'connected' || !hasToolsToReview(server);
  const Icon = isReviewed ? icons[status] : ShieldAlert;
  const { label, tone } = isReviewed ? serverLook(server) : reviewLook;
  return (
    <span className={classes.mark} data-tone={tone} title={compact ? label : undefined}>
      <Icon className={classes.icon} data-spin={status === 'connecting'} size={15} aria-hidden />
      <span className={compact ? 'visually-hidden' : classes.word}>{label}</span>
    </span>
  );
}

/** Replaces the "connected" mark, because something about the server may be wrong. */
const reviewLook = { label: 'Needs review', tone: 'warning' } as const;

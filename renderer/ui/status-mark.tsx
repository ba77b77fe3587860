import {
  CircleCheck,
  CircleDashed,
  CirclePower,
  KeyRound,
  LoaderCircle,
  type LucideIcon,
  OctagonX,
  TriangleAlert,
} from 'lucide-react';
import type { ServerStatus } from '../../shared/model/server.ts';
import { statusLook } from '../lib/server-status.ts';
import classes from './status-mark.module.css';

/** Each status has a shape of its own, so that colour is never the only difference. */
const icons: Readonly<Record<ServerStatus, LucideIcon>> = {
  connected: CircleCheck,
  connecting: LoaderCircle,
  degraded: TriangleAlert,
  'needs-auth': KeyRound,
  error: OctagonX,
  disconnected: CircleDashed,
  disabled: CirclePower,
};

/** A server's state as icon and word; `compact` leaves the word to screen readers. */
export function StatusMark({ status, compact = false }: { status: ServerStatus; compact?: boolean }) {
  const Icon = icons[status];
  const { label, tone } = statusLook(status);
  return (
    <span className={classes.mark} data-tone={tone} title={compact ? label : undefined}>
      <Icon className={classes.icon} data-spin={status === 'connecting'} size={15} aria-hidden />
      <span className={compact ? 'visually-hidden' : classes.word}>{label}</span>
    </span>
  );
}

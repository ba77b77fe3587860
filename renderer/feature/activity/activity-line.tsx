import { ArrowLeftRight, MessageCircleQuestion, Radio, Wrench } from 'lucide-react';
import type { ActivityKind, ActivityRow } from '../../../shared/model/activity.ts';
import { formatBytes } from '../../lib/format-amount.ts';
import { formatClock, formatMilliseconds, formatMoment } from '../../lib/format-time.ts';
import classes from './activity-view.module.css';
import { kindNames, rowLook, rowParties, rowRemark, rowTitle } from './activity-words.ts';

const icons: Readonly<Record<ActivityKind, typeof Wrench>> = {
  call: Wrench,
  question: MessageCircleQuestion,
  notices: ArrowLeftRight,
  hub: Radio,
};

interface ActivityLineProps {
  readonly row: ActivityRow;
  readonly index: number;
  readonly top: number;
  readonly selected: boolean;
  readonly onSelect: () => void;
}

export function ActivityLine({ row, index, top, selected, onSelect }: ActivityLineProps) {
  const Icon = icons[row.kind];
  const remark = rowRemark(row);
  return (
    <li className={classes.item} style={{ transform: `translateY(${top}px)` }}>
      <button
        type="button"
        className={classes.line}
        data-row={index}
        data-selected={selected}
        aria-current={selected || undefined}
        onClick={onSelect}
      >
        <time
          className={classes.clock}
          dateTime={new Date(row.at).toISOString()}
          title={formatMoment(row.at)}
        >
          {formatClock(row.at)}
        </time>
        <span className={classes.what} data-wide={row.kind === 'hub'}>
          <Icon size={14} strokeWidth={1.8} className={classes.icon} aria-label={kindNames[row.kind]} />
          <span className={classes.title}>{rowTitle(row)}</span>
          {remark !== '' && (
            <span className={classes.remark} title={remark}>
              {remark}
            </span>
          )}
        </span>
        {row.kind !== 'hub' && <span className={classes.parties}>{rowParties(row)}</span>}
        <RowOutcome row={row} />
        <span className={classes.amount}>
          {row.milliseconds === undefined ? '' : formatMilliseconds(row.milliseconds)}
        </span>
        <span className={classes.amount}>
          {row.answerBytes === undefined ? '' : formatBytes(row.answerBytes)}
        </span>
      </button>
    </li>
  );
}

/** In a word as well as in colour. */
export function RowOutcome({ row }: { row: ActivityRow }) {
  const { label, tone } = rowLook(row);
  const shown = row.kind === 'hub' ? (row.tone ?? tone) : tone;
  return (
    <span className={classes.outcome} data-tone={shown}>
      {row.outcome === 'note' ? '' : label}
    </span>
  );
}

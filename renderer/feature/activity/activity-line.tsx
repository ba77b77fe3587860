import {
  ArrowLeftRight,
  ChevronDown,
  ChevronRight,
  CircleDot,
  MessageCircleQuestion,
  Wrench,
} from 'lucide-react';
import type { ActivityKind, ActivityRow } from '../../../shared/model/activity.ts';
import { formatBytes } from '../../lib/format-amount.ts';
import { formatExactMoment, formatMilliseconds, formatStamp } from '../../lib/format-time.ts';
import { useModel, useTitleOf } from '../../store/model-context.tsx';
import classes from './activity-view.module.css';
import { foldRemark, kindNames, rowDetails, rowLook, rowRoute, rowTitle } from './activity-words.ts';
import type { Folded } from './fold-rows.ts';

const icons: Readonly<Record<ActivityKind, typeof Wrench>> = {
  call: Wrench,
  question: MessageCircleQuestion,
  notices: ArrowLeftRight,
  hub: CircleDot,
};

interface ActivityLineProps {
  readonly row: ActivityRow;
  readonly index: number;
  readonly top: number;
  readonly selected: boolean;
  /** True for a row inside an expanded group of repeats. */
  readonly isPart: boolean;
  readonly onSelect: () => void;
}

export function ActivityLine({ row, index, top, selected, isPart, onSelect }: ActivityLineProps) {
  const remark = rowDetails(row);
  const titleOf = useTitleOf();
  return (
    <li className={classes.item} style={{ transform: `translateY(${top}px)` }}>
      <button
        type="button"
        className={classes.line}
        data-row={index}
        data-selected={selected}
        data-part={isPart}
        data-kind={row.kind}
        aria-current={selected || undefined}
        onClick={onSelect}
      >
        <Stamp at={row.at} />
        <span className={classes.what} data-wide={row.kind === 'hub'}>
          <KindIcon row={row} />
          <span className={classes.title}>{rowTitle(row, titleOf)}</span>
          {remark !== '' && (
            <span className={classes.remark} title={remark}>
              {remark}
            </span>
          )}
        </span>
        {row.kind !== 'hub' && (
          <span className={classes.parties} title={row.serverKey}>
            {rowRoute(row, titleOf)}
          </span>
        )}
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

interface FoldedLineProps extends Pick<ActivityLineProps, 'index' | 'top'> {
  readonly fold: Folded<ActivityRow>;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Shows repeated rows as one line that expands. */
export function FoldedLine({ fold, index, top, isOpen, onToggle }: FoldedLineProps) {
  const { now } = useModel();
  const { row } = fold;
  const titleOf = useTitleOf();
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <li className={classes.item} style={{ transform: `translateY(${top}px)` }}>
      <button
        type="button"
        className={classes.line}
        data-row={index}
        data-kind={row.kind}
        aria-expanded={isOpen}
        onClick={onToggle}
      >
        <Stamp at={row.at} />
        <span className={classes.what} data-wide={row.kind === 'hub'}>
          <KindIcon row={row} />
          <span className={classes.title}>{rowTitle(row, titleOf)}</span>
          <span className={classes.times}>
            <Chevron size={13} aria-hidden />
            {foldRemark(fold, now())}
          </span>
          <span className={classes.remark} title={row.text}>
            {row.text}
          </span>
        </span>
        {row.kind !== 'hub' && (
          <span className={classes.parties} title={row.serverKey}>
            {rowRoute(row, titleOf)}
          </span>
        )}
        <RowOutcome row={row} />
        <span className={classes.amount} />
        <span className={classes.amount} />
      </button>
    </li>
  );
}

function Stamp({ at }: { at: number }) {
  const { now } = useModel();
  return (
    <time className={classes.clock} dateTime={new Date(at).toISOString()} title={formatExactMoment(at)}>
      {formatStamp(at, now())}
    </time>
  );
}

function KindIcon({ row }: { row: ActivityRow }) {
  const Icon = icons[row.kind];
  return (
    <Icon
      size={14}
      strokeWidth={1.8}
      className={classes.icon}
      data-tone={row.kind === 'hub' ? (row.tone ?? 'quiet') : undefined}
      aria-label={kindNames[row.kind]}
    />
  );
}

/** Names the outcome in text as well as in colour. */
export function RowOutcome({ row }: { row: ActivityRow }) {
  const { label, tone } = rowLook(row);
  const shown = row.kind === 'hub' ? (row.tone ?? tone) : tone;
  return (
    <span className={classes.outcome} data-tone={shown}>
      {row.kind === 'hub' ? 'Status' : row.outcome === 'note' ? '' : label}
    </span>
  );
}

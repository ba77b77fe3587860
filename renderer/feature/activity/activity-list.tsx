import { ArrowLeftRight, CircleDot, MessageCircleQuestion, Wrench } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import type { ActivityKind, ActivityRow } from '../../../shared/model/activity/activity.ts';
import { formatBytes } from '../../lib/text/format-amount.ts';
import { formatMilliseconds } from '../../lib/text/format-time.ts';
import { useTitleOf } from '../../store/model-context.tsx';
import {
  activityFolds,
  isHubRow,
  kindNames,
  rowDetails,
  rowLook,
  rowRoute,
  rowTitle,
} from './activity-labels.ts';
import type { ActivityLog, ActivityLogState } from './activity-log.ts';
import classes from './activity-view.module.css';
import { LogTable, Outcome, Remark } from './log/log-table.tsx';

interface ActivityListProps {
  readonly state: ActivityLogState;
  readonly log: ActivityLog;
  readonly selected: number | undefined;
  readonly onSelect: (id: number) => void;
}

/** Lists the activity. Scrolling down or selecting a row pauses following. */
export function ActivityList({ state, log, selected, onSelect }: ActivityListProps) {
  const { rows, newRows, following, hasMore } = state;
  const pause = useCallback((isAtTop: boolean) => !isAtTop && log.follow(false), [log]);
  return (
    <LogTable
      label="Activity list"
      heads={heads}
      columns={classes.columns}
      rows={rows}
      idOf={idOf}
      folds={activityFolds}
      isStatus={isHubRow}
      cells={(row, repeats) => <ActivityCells row={row} repeats={repeats} />}
      selected={selected}
      onSelect={(id) => {
        log.follow(false);
        onSelect(id);
      }}
      onScroll={pause}
      loadMore={hasMore ? log.loadMore : undefined}
      held={
        following || newRows.length === 0
          ? undefined
          : { text: `${newRows.length.toLocaleString('en')} new`, show: () => log.follow(true) }
      }
    />
  );
}

const heads = (
  <>
    <span>What</span>
    <span>Who</span>
    <span>Outcome</span>
    <span className={classes.amount}>Duration</span>
    <span className={classes.amount}>Size</span>
  </>
);

const icons: Readonly<Record<ActivityKind, typeof Wrench>> = {
  call: Wrench,
  question: MessageCircleQuestion,
  notices: ArrowLeftRight,
  hub: CircleDot,
};

function ActivityCells({ row, repeats }: { row: ActivityRow; repeats: ReactNode }) {
  const titleOf = useTitleOf();
  const isSingle = repeats === undefined;
  const { milliseconds, answerBytes } = row;
  const Icon = icons[row.kind];
  return (
    <>
      <span className={`row ${classes.what}`} data-wide={isHubRow(row)}>
        <Icon
          size={14}
          strokeWidth={1.8}
          className={classes.icon}
          data-tone={isHubRow(row) ? (row.tone ?? 'quiet') : undefined}
          aria-label={kindNames[row.kind]}
        />
        <span className={`truncate ${classes.title}`}>{rowTitle(row, titleOf)}</span>
        {repeats}
        <Remark>{isSingle ? rowDetails(row) : row.text}</Remark>
      </span>
      {!isHubRow(row) && (
        <span className={classes.parties} title={row.serverKey}>
          {rowRoute(row, titleOf)}
        </span>
      )}
      <RowOutcome row={row} />
      <span className={classes.amount}>
        {isSingle && milliseconds !== undefined ? formatMilliseconds(milliseconds) : ''}
      </span>
      <span className={classes.amount}>
        {isSingle && answerBytes !== undefined ? formatBytes(answerBytes) : ''}
      </span>
    </>
  );
}

export function RowOutcome({ row }: { row: ActivityRow }) {
  const { label, tone } = rowLook(row);
  if (isHubRow(row)) return <Outcome tone={row.tone ?? tone}>Status</Outcome>;
  return <Outcome tone={tone}>{row.outcome === 'note' ? '' : label}</Outcome>;
}

function idOf({ id }: ActivityRow): number {
  return id;
}

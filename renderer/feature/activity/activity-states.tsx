import { Button, Loader } from '@mantine/core';
import { Activity, FilterX, VideoOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand/react';
import { type ActivityFilter, activityLimits } from '../../../shared/model/activity.ts';
import { useModel } from '../../store/model-context.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ProblemCard } from '../../ui/problem-card.tsx';
import { isFiltered } from './activity-filter.ts';
import type { ActivityLogState } from './activity-log.ts';
import classes from './activity-view.module.css';
import { TurnOnRecordingButton } from './recording-notice.tsx';

interface ActivityStatesProps {
  readonly state: ActivityLogState;
  readonly filter: ActivityFilter;
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

/** Explains an empty list: an error, loading, no matches, no activity yet, or recording turned off. */
export function ActivityStates({ state, filter, onRetry, children }: ActivityStatesProps) {
  const model = useModel();
  const isOn = useStore(model.mirrors.settings, (settings) => settings?.recordActivity ?? true);
  const { rows, phase, problem } = state;
  if (problem !== undefined && rows.length === 0) {
    return (
      <div className={classes.problem}>
        <ProblemCard
          problem={problem}
          about="Activity"
          actions={<Button onClick={onRetry}>Try again</Button>}
        />
      </div>
    );
  }
  if (rows.length > 0) return children;
  if (phase === 'loading') {
    return (
      <div className={classes.loading} role="status">
        <Loader size="sm" aria-hidden />
        <span className="visually-hidden">Loading activity</span>
      </div>
    );
  }
  if (isFiltered(filter)) return <NoMatch onClear={() => model.activity.setState({ filter: {} })} />;
  return isOn ? <NoActivity /> : <RecordingOff />;
}

const noMatchText = `No entry matches your filters. Search covers names, servers, clients, methods and messages, plus the arguments and results of the newest ${activityLimits.searchedBodies.toLocaleString('en')} entries.`;

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState icon={FilterX} title="Nothing matches" text={noMatchText}>
      <Button variant="default" onClick={onClear}>
        Show everything
      </Button>
    </EmptyState>
  );
}

function NoActivity() {
  return (
    <EmptyState
      icon={Activity}
      title="No activity yet"
      text="Every client call appears here as it happens, with its arguments, result and duration. So do servers and clients as they connect, disconnect or fail."
    />
  );
}

function RecordingOff() {
  const { days } = activityLimits;
  return (
    <EmptyState
      icon={VideoOff}
      title="Recording is off"
      text={`Patchbay is not recording calls. When recording is on, calls are kept for ${days} days, on this computer only.`}
    >
      <TurnOnRecordingButton />
    </EmptyState>
  );
}

import { Button, Loader } from '@mantine/core';
import { Activity, FilterX, VideoOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand/react';
import { type ActivityFilter, activityBounds } from '../../../shared/model/activity.ts';
import { useModel } from '../../store/model-context.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ProblemCard } from '../../ui/problem-card.tsx';
import { isFiltered } from './activity-filter.ts';
import type { ActivityLogState } from './activity-log.ts';
import classes from './activity-view.module.css';
import { SwitchOn } from './recording-notice.tsx';

interface ActivityStatesProps {
  readonly state: ActivityLogState;
  readonly filter: ActivityFilter;
  readonly onRetry: () => void;
  /** What is shown once there is something. */
  readonly children: ReactNode;
}

/** Why there is nothing to see, while there is not. */
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
        <span className="visually-hidden">Loading the activity</span>
      </div>
    );
  }
  if (isFiltered(filter)) return <NoMatch onClear={() => model.activity.setState({ filter: {} })} />;
  return isOn ? <Quiet /> : <Off />;
}

const noMatchText = `No entry has all that you have chosen. A text is looked for in names, servers, clients, methods and messages, and in what the newest ${activityBounds.searchedBodies.toLocaleString('en')} entries carried, as it is kept.`;

function NoMatch({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState icon={FilterX} title="Nothing matches" text={noMatchText}>
      <Button variant="default" onClick={onClear}>
        Show everything
      </Button>
    </EmptyState>
  );
}

function Quiet() {
  return (
    <EmptyState
      icon={Activity}
      title="Quiet so far"
      text="Every call of a client is listed here as it happens, with its arguments, its result and how long it took; and servers and clients as they come, go and fail."
    />
  );
}

function Off() {
  const { days } = activityBounds;
  return (
    <EmptyState
      icon={VideoOff}
      title="Recording is off"
      text={`Nothing that goes through Patchbay is kept. When it is on, each call is kept for ${days} days and on this computer only.`}
    >
      <SwitchOn />
    </EmptyState>
  );
}

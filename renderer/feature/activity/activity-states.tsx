import { Activity, VideoOff } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand/react';
import { type ActivityFilter, activityLimits } from '../../../shared/model/activity/activity.ts';
import { useModel } from '../../store/model-context.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { isFiltered } from './activity-filter.ts';
import type { ActivityLogState } from './activity-log.ts';
import { LogStates } from './log/log-pane.tsx';
import { TurnOnRecordingButton } from './recording-notice.tsx';

interface ActivityStatesProps {
  readonly state: ActivityLogState;
  readonly filter: ActivityFilter;
  readonly onRetry: () => void;
  readonly children: ReactNode;
}

/** Explains an empty list. */
export function ActivityStates({ state, filter, onRetry, children }: ActivityStatesProps) {
  const model = useModel();
  const isOn = useStore(model.mirrors.settings, (settings) => settings?.recordActivity ?? true);
  return (
    <LogStates
      about="Activity"
      state={state}
      onRetry={onRetry}
      filtered={isFiltered(filter) ? searchedText : undefined}
      onClear={() => model.activity.setState({ filter: {} })}
      empty={isOn ? <NoActivity /> : <RecordingOff />}
    >
      {children}
    </LogStates>
  );
}

const searchedText = `Search covers names, servers, clients, methods and messages, plus the arguments and results of the newest ${activityLimits.searchedBodies.toLocaleString('en')} entries.`;

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

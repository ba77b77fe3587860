import { Button } from '@mantine/core';
import { VideoOff } from 'lucide-react';
import { useStore } from 'zustand/react';
import { recordActivity } from '../../command/activity/activity-actions.ts';
import { useModel } from '../../store/model-context.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { ActivityLogState } from './activity-log.ts';
import classes from './activity-view.module.css';

/** Notes that recording is off while older entries are shown. */
export function RecordingNotice({ state }: { state: ActivityLogState }) {
  const model = useModel();
  const isOn = useStore(model.mirrors.settings, (settings) => settings?.recordActivity ?? true);
  if (isOn || state.rows.length === 0) return null;
  return (
    <div className={classes.notice}>
      <Notice
        label="Recording"
        tone="quiet"
        icon={<VideoOff size={16} />}
        title="Recording is off"
        text="These are older entries. Nothing new is being recorded."
        actions={<TurnOnRecordingButton />}
      />
    </div>
  );
}

export function TurnOnRecordingButton() {
  const model = useModel();
  return <Button onClick={() => void recordActivity(model, true)}>Turn on recording</Button>;
}

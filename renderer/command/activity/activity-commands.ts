import { Trash2, Video, VideoOff } from 'lucide-react';
import type { Model } from '../../store/model.ts';
import type { Command } from '../command.ts';
import { clearActivity, recordActivity } from './activity-actions.ts';

const isRecorded = (model: Model) => model.mirrors.settings.getState()?.recordActivity === true;

export const activityCommands: readonly Command[] = [
  {
    id: 'activity.clear',
    title: 'Clear the activity',
    group: 'Patchbay',
    icon: Trash2,
    keywords: 'history calls log forget',
    run: (model) => void clearActivity(model),
  },
  {
    id: 'activity.record',
    title: 'Record activity',
    group: 'Patchbay',
    icon: Video,
    keywords: 'history calls log on',
    available: (model) => !isRecorded(model),
    run: (model) => void recordActivity(model, true),
  },
  {
    id: 'activity.stop',
    title: 'Stop recording activity',
    group: 'Patchbay',
    icon: VideoOff,
    keywords: 'history calls log off private',
    available: isRecorded,
    run: (model) => void recordActivity(model, false),
  },
];

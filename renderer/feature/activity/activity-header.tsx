import { Button, Menu } from '@mantine/core';
import { Download, Pause, Play, Trash2 } from 'lucide-react';
import type { ActivityFilter } from '../../../shared/model/activity.ts';
import { clearActivity, exportActivity } from '../../command/activity-actions.ts';
import { formatCount } from '../../lib/format-amount.ts';
import { useModel } from '../../store/model-context.tsx';
import { ViewHeader } from '../../ui/view-header.tsx';
import type { ActivityLogState } from './activity-log.ts';
import { ActivityPages } from './activity-pages.tsx';

interface ActivityHeaderProps {
  readonly state: ActivityLogState;
  readonly filter: ActivityFilter;
  readonly onFollow: (following: boolean) => void;
}

export function ActivityHeader({ state, filter, onFollow }: ActivityHeaderProps) {
  const model = useModel();
  const { following, counts } = state;
  const isEmpty = state.rows.length === 0 && counts?.kept === 0;
  return (
    <ViewHeader title="Activity" note={counts && countText(counts.total, counts.kept)}>
      <Button
        variant="default"
        leftSection={following ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
        onClick={() => onFollow(!following)}
      >
        {following ? 'Pause' : 'Follow'}
      </Button>
      <Menu>
        <Menu.Target>
          <Button variant="default" disabled={isEmpty} leftSection={<Download size={14} aria-hidden />}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => void exportActivity(model, filter, 'jsonl')}>
            JSON, one entry per line
          </Menu.Item>
          <Menu.Item onClick={() => void exportActivity(model, filter, 'csv')}>Table (CSV)</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Button
        variant="default"
        disabled={isEmpty}
        leftSection={<Trash2 size={14} aria-hidden />}
        onClick={() => void clearActivity(model)}
      >
        Clear
      </Button>
      <ActivityPages page="calls" />
    </ViewHeader>
  );
}

function countText(total: number, stored: number): string {
  const all = formatCount(stored, 'entry', 'entries');
  return total !== stored ? `${total.toLocaleString('en')} of ${all}` : all;
}

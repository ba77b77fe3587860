import { SegmentedControl } from '@mantine/core';
import { openActivity } from '../../command/navigate.ts';
import { useModel } from '../../store/model-context.tsx';
import type { ActivityPage } from '../../store/view-store.ts';

/** The way from one page of the activity to the others. */
export function ActivityPages({ page }: { page: ActivityPage }) {
  const model = useModel();
  return (
    <SegmentedControl
      size="xs"
      aria-label="Page of the activity"
      value={page}
      onChange={(next) => openActivity(model, next)}
      data={[
        { value: 'calls', label: 'Calls' },
        { value: 'audit', label: 'Audit' },
        { value: 'metrics', label: 'Metrics' },
      ]}
    />
  );
}

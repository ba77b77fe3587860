import { SegmentedControl } from '@mantine/core';
import { openActivity } from '../../command/navigate.ts';
import { useModel } from '../../store/model-context.tsx';
import type { ActivityPage } from '../../store/view-store.ts';

/** Switches between the activity pages. */
export function ActivityPages({ page }: { page: ActivityPage }) {
  const model = useModel();
  return (
    <SegmentedControl
      size="xs"
      aria-label="Activity page"
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

import { useDebouncedValue } from '@mantine/hooks';
import type { ActiveCall } from '../../../shared/model/activity/call.ts';
import { knownValue, useEngine } from '../../store/hook/use-engine.ts';
import { useServers } from '../../store/model-context.tsx';

/** Returns the calls in progress, longest first; again shortly after a call begins or ends. */
export function useActiveCalls(newest: number | undefined): readonly ActiveCall[] {
  const activeCount = useServers(({ byKey }) =>
    Object.values(byKey).reduce((sum, { activeCalls }) => sum + activeCalls, 0),
  );
  const [changed] = useDebouncedValue(`${activeCount} ${newest}`, settleMs);
  const { calls = [] } = knownValue(useEngine('activity.underway', undefined, { again: [changed] })) ?? {};
  return calls.toSorted((left, right) => left.since - right.since);
}

const settleMs = 250;

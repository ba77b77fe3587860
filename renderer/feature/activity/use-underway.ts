import { useEffect, useState } from 'react';
import type { ActiveCall } from '../../../shared/model/call.ts';
import { useModel, useServers } from '../../store/model-context.tsx';

/**
 * Returns the calls in progress, longest first. They are fetched again shortly after a call begins or ends.
 */
export function useActiveCalls(newest: number | undefined): readonly ActiveCall[] {
  const { link } = useModel();
  const [calls, setCalls] = useState<readonly ActiveCall[]>([]);
  const activeCount = useServers(({ byKey }) =>
    Object.values(byKey).reduce((sum, { activeCalls }) => sum + activeCalls, 0),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change means that calls have begun or ended
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(() => {
      void link.call('activity.underway', undefined).then((answer) => {
        if (!wanted || !answer.ok) return;
        setCalls([...answer.value.calls].sort((left, right) => left.since - right.since));
      });
    }, settleMs);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [link, activeCount, newest]);
  return calls;
}

const settleMs = 250;

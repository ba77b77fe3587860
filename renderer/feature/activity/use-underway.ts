import { useEffect, useState } from 'react';
import type { ActiveCall } from '../../../shared/model/call.ts';
import { useModel, useServers } from '../../store/model-context.tsx';

/** The calls under way, the longest first: asked for again a moment after any has begun or ended. */
export function useUnderway(newest: number | undefined): readonly ActiveCall[] {
  const { link } = useModel();
  const [calls, setCalls] = useState<readonly ActiveCall[]>([]);
  const moved = useServers(({ byKey }) =>
    Object.values(byKey).reduce((sum, { activeCalls }) => sum + activeCalls, 0),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: they say that others may be under way
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(() => {
      void link.call('activity.underway', undefined).then((answer) => {
        if (!wanted || !answer.ok) return;
        setCalls([...answer.value.calls].sort((left, right) => left.since - right.since));
      });
    }, settleMilliseconds);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [link, moved, newest]);
  return calls;
}

const settleMilliseconds = 250;

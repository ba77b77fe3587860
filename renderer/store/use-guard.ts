import { useEffect, useState } from 'react';
import type { Problem } from '../../shared/error/problem.ts';
import type { QuarantinedTool, ToolReview } from '../../shared/model/guard.ts';
import { useModel } from './model-context.tsx';

/** Quarantined tools; subscribed only while mounted. */
export type GuardState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly held: readonly QuarantinedTool[] }
  | { readonly kind: 'failed'; readonly problem: Problem };

export function useGuard(): GuardState {
  const { link } = useModel();
  const [state, setState] = useState<GuardState>({ kind: 'loading' });
  useEffect(() => {
    let wanted = true;
    const stop = link.on('guard.changed', ({ held }) => setState({ kind: 'known', held }));
    void link.call('guard.list', undefined).then((answer) => {
      if (!wanted) return;
      setState(
        answer.ok ? { kind: 'known', held: answer.value.held } : { kind: 'failed', problem: answer.problem },
      );
    });
    return () => {
      wanted = false;
      stop();
    };
  }, [link]);
  return state;
}

/** Comparison of one tool with its approved definition. */
export type ReviewState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly review: ToolReview }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Fetches the review again whenever the definition changes. */
export function useReview(serverKey: string, name: string, digest?: string): ReviewState {
  const { link } = useModel();
  const [state, setState] = useState<ReviewState>({ kind: 'loading' });
  useEffect(() => {
    let wanted = true;
    const which = digest === undefined ? {} : { digest };
    void link.call('guard.review', { serverKey, name, ...which }).then((answer) => {
      if (!wanted) return;
      setState(
        answer.ok ? { kind: 'ready', review: answer.value } : { kind: 'failed', problem: answer.problem },
      );
    });
    return () => {
      wanted = false;
    };
  }, [link, serverKey, name, digest]);
  return state;
}

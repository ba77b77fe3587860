import { useEffect, useState } from 'react';
import type { Problem } from '../../../shared/error/problem.ts';
import type { ToolDetail, ToolSummary } from '../../../shared/model/tool/tool.ts';
import { useModel } from '../../store/model-context.tsx';

export type ToolDetailState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly tool: ToolDetail }
  | { readonly kind: 'failed'; readonly problem: Problem };

/**
 * Fetches a complete tool; again whenever its summary is replaced, because its definition may have changed.
 */
export function useToolDetail(summary: ToolSummary): ToolDetailState {
  const { link } = useModel();
  const [state, setState] = useState<ToolDetailState>({ kind: 'loading' });
  useEffect(() => {
    let wanted = true;
    const { serverKey, name } = summary;
    void link.call('tool.get', { serverKey, name }).then((answer) => {
      if (!wanted) return;
      setState(
        answer.ok ? { kind: 'ready', tool: answer.value } : { kind: 'failed', problem: answer.problem },
      );
    });
    return () => {
      wanted = false;
    };
  }, [link, summary]);
  return state;
}

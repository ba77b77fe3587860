import { useEffect, useRef } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import { offerUndo } from '../../../command/undo-actions.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import type { HubLink, Model } from '../../../store/model.ts';
import { useModel } from '../../../store/model-context.tsx';

/** Remembers what an import did, for an undo in the dialog and, once that is closed, outside it. */
export function useImportUndos() {
  const model = useModel();
  const undoIds = useRef<readonly string[]>([]);
  const added = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on unmount only
  useEffect(() => () => offerUndos(model, undoIds.current, added.current), []);
  return {
    /** Records an import, which may go on under the same id. */
    record(undoId: string | undefined, servers = 0): void {
      added.current += servers;
      if (undoId !== undefined) undoIds.current = [...new Set([...undoIds.current, undoId])];
    },
    /** Undoes everything. Resolves to the problem, if any. */
    async undo(): Promise<Problem | undefined> {
      const { remaining, problem } = await undoImports(model.link, undoIds.current);
      undoIds.current = remaining;
      return problem;
    },
  };
}

interface Undone {
  /** Imports that could not be undone because of the problem. */
  readonly remaining: readonly string[];
  readonly problem?: Problem;
}

async function undoImports(link: HubLink, undoIds: readonly string[]): Promise<Undone> {
  let left = undoIds;
  for (const undoId of [...undoIds].reverse()) {
    const answer = await link.call('import.undo', { undoId });
    if (!answer.ok) return { remaining: left, problem: answer.problem };
    left = left.filter((other) => other !== undoId);
  }
  return { remaining: left };
}

/**
 * Offers to undo after the dialog closes. If another program has changed a file meanwhile, undoing fails and
 * is offered again.
 */
function offerUndos(model: Model, undoIds: readonly string[], added: number): void {
  const [first] = undoIds;
  if (first === undefined) return;
  offerUndo(
    model,
    `import:${first}`,
    added === 0 ? 'Your apps now use Patchbay.' : `Imported ${formatCount(added, 'server')}.`,
    async () => {
      const { remaining: left, problem } = await undoImports(model.link, undoIds);
      if (problem === undefined) return model.notify.done('The import was undone.');
      model.notify.problem(problem);
      offerUndos(model, left, added);
    },
  );
}

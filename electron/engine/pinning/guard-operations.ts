import { ProblemError } from '../../../shared/error/problem.ts';
import type { OperationHandlers } from '../base/operation-handlers.ts';
import { unknownTool } from '../catalogue/unknown-names.ts';
import type { ToolGuard } from './tool-guard.ts';

export function guardOperations(guard: ToolGuard) {
  return {
    'guard.list': () => guard.view(),
    'guard.review': async ({ serverKey, name, digest }) => {
      const review = await guard.review(serverKey, name, digest);
      if (review === undefined) throw new ProblemError(unknownTool(serverKey, name));
      return review;
    },
    'guard.decide': ({ serverKey, tools, decision }) => ({
      undoId: guard.decide(serverKey, tools, decision),
    }),
    'guard.undo': ({ undoId }) => guard.undo(undoId),
  } satisfies Partial<OperationHandlers>;
}

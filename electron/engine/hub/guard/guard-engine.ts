import { ProblemError } from '../../../../shared/error/problem.ts';
import type { GuardView } from '../../../../shared/model/guard.ts';
import { Emitter, type Event } from '../../base/emitter.ts';
import { unknownTool } from '../views.ts';
import type { GuardEngine } from './contract.ts';
import type { ToolGuard } from './tool-guard.ts';

interface GuardHub {
  readonly guard: ToolGuard;
}

export interface GuardEngineOptions {
  /** Throws ProblemError while no hub runs. */
  readonly open: () => GuardHub;
  readonly running: () => GuardHub | undefined;
  readonly onOpen: Event<GuardHub>;
}

/** Creates the definition pinning part of the engine. */
export function createGuardEngine({ open, running, onOpen }: GuardEngineOptions): GuardEngine {
  const changes = new Emitter<GuardView>();
  onOpen(({ guard }) => {
    changes.fire(guard.view());
    guard.onView((view) => changes.fire(view));
  });
  return {
    guard: {
      list: () => running()?.guard.view() ?? { held: [] },
      review: async (serverKey, name, digest) => {
        const review = await open().guard.review(serverKey, name, digest);
        if (review === undefined) throw new ProblemError(unknownTool(serverKey, name));
        return review;
      },
      decide: async (serverKey, tools, decision) => open().guard.decide(serverKey, tools, decision),
      undo: async (undoId) => open().guard.undo(undoId),
      onChange: changes.event,
    },
  };
}

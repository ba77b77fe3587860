import type { GuardView, ToolReview } from '../../../../shared/model/guard.ts';
import type { Event } from '../../base/emitter.ts';

/** The part of the engine that quarantines tools until somebody has reviewed what changed about them. */
export interface GuardEngine {
  readonly guard: {
    list(): GuardView;
    /** Rejects with `call.unknown_tool`. */
    review(serverKey: string, name: string, digest?: string): Promise<ToolReview>;
    /** Resolves to an id for {@link undo}. Rejects with `guard.changed_meanwhile`. */
    decide(
      serverKey: string,
      tools: readonly { readonly name: string; readonly digest: string }[],
      decision: 'approve' | 'block',
    ): Promise<string>;
    /** Rejects with `guard.undo_gone`. */
    undo(undoId: string): Promise<void>;
    readonly onChange: Event<GuardView>;
  };
}

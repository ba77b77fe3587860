import type { QuarantinedTool } from '../../shared/model/guard.ts';
import { formatCount } from '../lib/format-amount.ts';
import { announce } from '../store/announcer.ts';
import type { Model } from '../store/model.ts';
import { openDialog } from '../store/view-store.ts';
import { dropUndo, offerUndo } from './undo-actions.ts';

/** Opens a server's quarantined tools, with the diff to the approved definitions. */
export function reviewTools(model: Model, serverKey: string): void {
  openDialog(model.view, { kind: 'review-tools', serverKey });
}

/** Returns the key of the first server with tools to review. */
export function firstToReview(model: Model): string | undefined {
  const { byKey, order } = model.mirrors.servers.getState();
  return order.find((key) => (byKey[key]?.heldTools?.waiting ?? 0) > 0);
}

type DecidedTool = Pick<QuarantinedTool, 'name' | 'digest'>;

/** A decision that can be undone. */
export interface ToolDecision {
  readonly undoId: string;
  readonly text: string;
}

/** Decides about definitions as the user saw them; undefined if that was rejected. */
export async function decideTools(
  model: Model,
  serverKey: string,
  tools: readonly DecidedTool[],
  decision: 'approve' | 'block',
): Promise<ToolDecision | undefined> {
  const seen = tools.map(({ name, digest }) => ({ name, digest }));
  const answer = await model.link.call('guard.decide', { serverKey, tools: seen, decision });
  if (!answer.ok) {
    model.notify.problem(answer.problem);
    return undefined;
  }
  const text = decidedText(tools, decision);
  announce(model.announcer, text);
  const made = { undoId: answer.value.undoId, text };
  if (tools.length > 1) offerUndo(model, made.undoId, text, () => void undoDecision(model, made));
  return made;
}

export async function undoDecision(model: Model, { undoId }: ToolDecision): Promise<void> {
  dropUndo(model, undoId);
  const answer = await model.link.call('guard.undo', { undoId });
  if (answer.ok) announce(model.announcer, 'Decision undone.');
  else model.notify.problem(answer.problem);
}

function decidedText(tools: readonly DecidedTool[], decision: 'approve' | 'block'): string {
  const [only] = tools;
  const what = tools.length === 1 && only !== undefined ? only.name : formatCount(tools.length, 'tool');
  const verb = tools.length === 1 ? 'is' : 'are';
  return decision === 'approve' ? `${what} ${verb} approved.` : `${what} ${verb} blocked.`;
}

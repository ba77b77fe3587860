import type { HeldTool } from '../../shared/model/guard.ts';
import { formatCount } from '../lib/format-amount.ts';
import type { Model } from '../store/model.ts';
import { openDialog } from '../store/view-store.ts';

/** Opens what is held of a server, with the difference to what was approved. */
export function reviewTools(model: Model, serverKey: string): void {
  openDialog(model.view, { kind: 'review-tools', serverKey });
}

/** Key of the first server of which tools wait for a decision. */
export function firstToReview(model: Model): string | undefined {
  const { byKey, order } = model.mirrors.servers.getState();
  return order.find((key) => (byKey[key]?.heldTools?.waiting ?? 0) > 0);
}

type Decided = Pick<HeldTool, 'name' | 'digest'>;

/** Decides about definitions as they were seen; it can be taken back for a while. */
export async function decideTools(
  model: Model,
  serverKey: string,
  tools: readonly Decided[],
  decision: 'approve' | 'block',
): Promise<void> {
  const seen = tools.map(({ name, digest }) => ({ name, digest }));
  const answer = await model.link.call('guard.decide', { serverKey, tools: seen, decision });
  if (!answer.ok) return model.notify.problem(answer.problem);
  const { undoId } = answer.value;
  model.notify.undoable(undoId, decidedText(serverKey, tools, decision), () => void undo(model, undoId));
}

async function undo(model: Model, undoId: string): Promise<void> {
  const answer = await model.link.call('guard.undo', { undoId });
  if (answer.ok) model.notify.done('The decision was taken back.');
  else model.notify.problem(answer.problem);
}

function decidedText(serverKey: string, tools: readonly Decided[], decision: 'approve' | 'block'): string {
  const [only] = tools;
  const what = tools.length === 1 && only !== undefined ? only.name : formatCount(tools.length, 'tool');
  const verb = tools.length === 1 ? 'is' : 'are';
  return decision === 'approve'
    ? `${what} of ${serverKey} ${verb} approved.`
    : `${what} of ${serverKey} ${verb} kept away from clients.`;
}

import type { ApprovalAnswer, ApprovalRequest } from '../../shared/model/access.ts';
import { answeredText } from '../lib/approval-words.ts';
import { noteAnswered } from '../store/approval-store.ts';
import type { Model } from '../store/model.ts';

/** Shows the calls that wait and takes the keyboard there. */
export function showApprovals({ approval }: Model): void {
  approval.setState({ folded: false, wanted: true });
}

export function hasApprovals({ mirrors }: Model): boolean {
  return mirrors.approvals.getState().length > 0;
}

/** Gives the answer; what became of it is said, and a call that was gone by then is no failure to look into. */
export async function answerApproval(
  model: Model,
  request: ApprovalRequest,
  answer: ApprovalAnswer,
): Promise<void> {
  const { id } = request;
  noteAnswered(model.approval, id, true);
  const given = await model.link.call('access.answer', { approvalId: id, answer });
  if (given.ok) return model.notify.done(answeredText(request, answer));
  noteAnswered(model.approval, id, false);
  model.notify.problem(given.problem);
}

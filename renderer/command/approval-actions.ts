import type { ApprovalAnswer, ApprovalRequest, Grant } from '../../shared/model/access.ts';
import { answeredText, askedAgainText } from '../lib/approval-words.ts';
import { noteAnswered } from '../store/approval-store.ts';
import type { Model } from '../store/model.ts';
import { titleOf } from '../store/server-title.ts';
import { setPalette } from '../store/view-store.ts';
import { offerUndo } from './undo-actions.ts';

/** Shows the waiting calls and moves the focus there. */
export function showApprovals({ approval, view }: Model): void {
  setPalette(view, false);
  approval.setState({ folded: false, wanted: true });
}

export function hasApprovals({ mirrors }: Model): boolean {
  return mirrors.approvals.getState().length > 0;
}

/** Sends the answer and reports the result. */
export async function answerApproval(
  model: Model,
  request: ApprovalRequest,
  answer: ApprovalAnswer,
): Promise<void> {
  const { id } = request;
  noteAnswered(model.approval, id, true);
  const before = answer === 'always' ? await ruleAbout(model, request) : undefined;
  const given = await model.link.call('access.answer', { approvalId: id, answer });
  if (given.ok) {
    if (answer === 'always') return offerRuleUndo(model, request, before);
    return model.notify.done(answeredText(request, answer, (key) => titleOf(model, key)));
  }
  noteAnswered(model.approval, id, false);
  model.notify.problem(given.problem);
}

/** Offers to undo a permanent answer, restoring the previous rule. */
function offerRuleUndo(model: Model, request: ApprovalRequest, before: Grant | undefined): void {
  const undoId = `always-${request.id}`;
  const undo = async () => {
    const made = await ruleAbout(model, request);
    if (made === undefined) return model.notify.done(askedAgainText(request, (key) => titleOf(model, key)));
    const answer = await undoRule(model, made, before);
    if (answer.ok) model.notify.done(askedAgainText(request, (key) => titleOf(model, key)));
    else model.notify.problem(answer.problem);
  };
  offerUndo(
    model,
    undoId,
    answeredText(request, 'always', (key) => titleOf(model, key)),
    () => void undo(),
  );
}

function undoRule({ link }: Model, made: Grant, before: Grant | undefined) {
  if (before === undefined) return link.call('access.revokeGrant', { grantId: made.id });
  // Replaces the rule for the same tool.
  const { id: _other, grantedAt: _then, grantedBy: _who, ...again } = before;
  return link.call('access.grant', again);
}

/** Returns this identity's rule for exactly this tool. */
async function ruleAbout(
  { link }: Model,
  { identityId, serverKey, tool }: ApprovalRequest,
): Promise<Grant | undefined> {
  const answer = await link.call('access.get', undefined);
  if (!answer.ok) return undefined;
  return answer.value.grants.find(
    ({ identityId: whose, scope }) =>
      whose === identityId && scope.kind === 'tool' && scope.serverKey === serverKey && scope.tool === tool,
  );
}

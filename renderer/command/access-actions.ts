import type { Grant, GrantInput, GrantScope, Identity, ToolToken } from '../../shared/model/access.ts';
import { scopeKey, scopeText } from '../../shared/model/access-text.ts';
import { clientTitle } from '../lib/client-title.ts';
import { formatCount } from '../lib/format-amount.ts';
import { announce } from '../store/announcer.ts';
import type { Model } from '../store/model.ts';
import { titleOf } from '../store/server-title.ts';
import { closeDialog, openDialog } from '../store/view-store.ts';
import { navigate } from './navigate.ts';
import { offerUndo } from './undo-actions.ts';

/** Opens the Access page. */
export function openAccess(model: Model): void {
  navigate(model, { ...model.view.getState().place, view: 'clients', clientsPage: 'access' });
}

export function openIdentity(model: Model, id: string): void {
  openDialog(model.view, { kind: 'identity', id });
}

export function openIdentityTools(model: Model, id: string, serverKey: string): void {
  openDialog(model.view, { kind: 'identity-tools', id, serverKey });
}

/** Creates an agent and opens its page; true if it was created. */
export async function createAgent(
  model: Model,
  agent: { readonly name: string; readonly owner?: string; readonly expiresAt?: number },
): Promise<boolean> {
  const answer = await model.link.call('access.create', { kind: 'agent', ...agent });
  if (answer.ok) openIdentity(model, answer.value.id);
  else model.notify.problem(answer.problem);
  return answer.ok;
}

export async function copyNewToken(model: Model, { id, name, hasToken }: Identity): Promise<void> {
  const answer = await model.link.call('access.copyToken', { id });
  if (!answer.ok) return model.notify.problem(answer.problem);
  const ended = hasToken ? ' The old one no longer works.' : '';
  model.notify.done(
    `A new token for ${clientTitle({ name })} is on the clipboard. It is not shown again.${ended}`,
  );
}

/** Revokes all access, with undo. */
export async function revokeIdentity(model: Model, { id, name }: Identity): Promise<void> {
  const answer = await model.link.call('access.revoke', { id });
  if (!answer.ok) return model.notify.problem(answer.problem);
  const undoId = `revoked-${id}`;
  const text = `${clientTitle({ name })} no longer has access.`;
  offerUndo(model, undoId, text, () => void restoreIdentity(model, { id, name }));
}

export async function restoreIdentity(
  model: Model,
  { id, name }: Pick<Identity, 'id' | 'name'>,
): Promise<void> {
  const answer = await model.link.call('access.restore', { id });
  if (answer.ok) model.notify.done(`${clientTitle({ name })} has access again.`);
  else model.notify.problem(answer.problem);
}

export async function removeIdentity(model: Model, { id, name }: Identity): Promise<void> {
  const answer = await model.link.call('access.remove', { id });
  if (!answer.ok) return model.notify.problem(answer.problem);
  closeDialog(model.view);
  model.notify.done(`${clientTitle({ name })} was removed.`);
}

/** Continues with what could be recovered from a damaged database. */
export async function recoverAccess(model: Model): Promise<void> {
  const answer = await model.link.call('access.beginAnew', undefined);
  if (answer.ok)
    model.notify.done('The recovered access rules are in force. Review what each client may call.');
  else model.notify.problem(answer.problem);
}

/** A grant as chosen in the window. */
export type NewGrant = Pick<GrantInput, 'identityId' | 'effect' | 'scope' | 'needsToken' | 'expiresAt'>;

export async function makeGrant(model: Model, grant: NewGrant): Promise<boolean> {
  const made = await grantQuietly(model, grant);
  if (made)
    announce(
      model.announcer,
      `${effectWords[grant.effect]}: ${scopeText(grant.scope, (key) => titleOf(model, key))}.`,
    );
  return made;
}

/**
 * Makes several grants of one effect in sequence; stops at the first failure. Undo restores the rules in
 * `before`.
 */
export async function makeGrants(
  model: Model,
  grants: readonly NewGrant[],
  before: readonly Grant[],
): Promise<void> {
  let made = 0;
  for (const grant of grants) {
    if (!(await grantQuietly(model, grant))) break;
    made += 1;
  }
  const done = grants.slice(0, made);
  const [first] = done;
  if (first === undefined) return;
  const text = `${effectWords[first.effect]}: ${formatCount(made, 'tool')}.`;
  announce(model.announcer, text);
  offerUndo(model, `grants-${model.now()}`, text, () => void restoreRules(model, done, before));
}

/** Removes the new rules and restores the ones they replaced. */
async function restoreRules(
  model: Model,
  made: readonly NewGrant[],
  before: readonly Grant[],
): Promise<void> {
  const answer = await model.link.call('access.get', undefined);
  if (!answer.ok) return model.notify.problem(answer.problem);
  for (const { identityId, scope } of made) {
    const isSame = (other: Grant) =>
      other.identityId === identityId && scopeKey(other.scope) === scopeKey(scope);
    const old = before.find(isSame);
    const now = answer.value.grants.find(isSame);
    if (old !== undefined) await grantQuietly(model, toNewGrant(old));
    else if (now !== undefined && !(await removeQuietly(model, now))) return;
  }
  model.notify.done(`The rules for ${formatCount(made.length, 'tool')} were restored.`);
}

function toNewGrant({ id: _other, grantedAt: _then, grantedBy: _who, ...again }: Grant): NewGrant {
  return again;
}

async function removeQuietly(model: Model, { id }: Grant): Promise<boolean> {
  const answer = await model.link.call('access.revokeGrant', { grantId: id });
  if (!answer.ok) model.notify.problem(answer.problem);
  return answer.ok;
}

async function grantQuietly(model: Model, grant: NewGrant): Promise<boolean> {
  const answer = await model.link.call('access.grant', grant);
  if (!answer.ok) model.notify.problem(answer.problem);
  return answer.ok;
}

const effectWords = { allow: 'Allowed', ask: 'Asks first', deny: 'Denied' } as const;

/** Removes rules, so that general rules apply again. */
export async function clearRules(model: Model, grants: readonly Grant[]): Promise<void> {
  const cleared: Grant[] = [];
  for (const grant of grants) {
    if (!(await removeQuietly(model, grant))) break;
    cleared.push(grant);
  }
  if (cleared.length === 0) return;
  announce(model.announcer, 'General rules apply again.');
  if (cleared.length === 1) return;
  const text = `${formatCount(cleared.length, 'rule')} removed.`;
  offerUndo(model, `cleared-${model.now()}`, text, () => {
    void (async () => {
      for (const grant of cleared) if (!(await grantQuietly(model, toNewGrant(grant)))) return;
      model.notify.done(`${formatCount(cleared.length, 'rule')} restored.`);
    })();
  });
}

/** Removes a rule, with undo. */
export async function revokeGrant(model: Model, grant: Grant): Promise<void> {
  const answer = await model.link.call('access.revokeGrant', { grantId: grant.id });
  if (!answer.ok) return model.notify.problem(answer.problem);
  const undoId = `grant-${grant.id}`;
  const text = `The rule for ${scopeText(grant.scope, (key) => titleOf(model, key))} was removed.`;
  offerUndo(model, undoId, text, () => void makeGrant(model, toNewGrant(grant)));
}

export async function issueToolToken(
  model: Model,
  identityId: string,
  { serverKey, tool }: Extract<GrantScope, { kind: 'tool' }>,
): Promise<void> {
  const answer = await model.link.call('access.issueToken', { identityId, serverKey, tool });
  if (!answer.ok) model.notify.problem(answer.problem);
}

export async function revokeToolToken(model: Model, { tokenId }: ToolToken): Promise<void> {
  const answer = await model.link.call('access.revokeToken', { tokenId });
  if (!answer.ok) model.notify.problem(answer.problem);
}

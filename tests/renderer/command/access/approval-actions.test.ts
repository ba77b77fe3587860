import { describe, expect, it } from 'vitest';
import { createMirroring } from '../../../../renderer/bridge/mirror.ts';
import { answerApproval, showApprovals } from '../../../../renderer/command/access/approval-actions.ts';
import { runPushedCommand } from '../../../../renderer/command/run-pushed-command.ts';
import type { ApprovalRequest, Grant } from '../../../../shared/model/access/access.ts';
import { refused, testModel } from '../../helper/test-model.ts';

const request = (id: string, more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  id,
  identityId: 'i',
  clientName: 'claude-ai',
  serverKey: 's',
  tool: 'write',
  risk: 'high',
  argumentsText: '{}',
  askedAt: 0,
  expiresAt: 5_000,
  behind: 0,
  ...more,
});

/** Without the state, events are queued; here it has arrived. */
async function mirrored(answers: Parameters<typeof testModel>[0] = {}) {
  const made = testModel({
    'state.get': () => ({
      ok: true,
      value: {
        hub: { version: '1', pid: 1, startedAt: 0, dataDir: '', configFile: '', revision: 1, problems: [] },
        servers: [],
        tools: [],
        clients: [],
        settings: {} as never,
      },
    }),
    ...answers,
  });
  createMirroring(made.model).start();
  await new Promise((resolve) => setTimeout(resolve, 0));
  return made;
}

const granted = (grants: () => readonly Grant[]) => ({
  'access.get': () => ({
    ok: true as const,
    value: {
      identities: [],
      grants: grants(),
      tokens: [],
      newClients: 'everything' as const,
      askDestructive: false,
    },
  }),
});

const about = (id: string, effect: Grant['effect']): Grant => ({
  id,
  identityId: 'i',
  effect,
  scope: { kind: 'tool', serverKey: 's', tool: 'write' },
  grantedAt: 1,
  grantedBy: 'somebody',
});

describe('[REQ-MCP-AUTH-002] calls that wait', () => {
  it('are announced once each, with the shortcut to answer', async () => {
    const { model, link } = await mirrored();
    link.push('approvals.changed', { approvals: [request('1')] });
    expect(model.announcer.getState()).toMatchObject({
      message: 'Claude Desktop wants to run s:write. Press Ctrl Shift A to answer.',
    });
    const { turn } = model.announcer.getState();
    link.push('approvals.changed', { approvals: [request('1', { behind: 2 })] });
    expect(model.announcer.getState().turn).toBe(turn);
  });

  it('disappear with a message if answered elsewhere, and silently if answered here', async () => {
    const { model, link, notifier } = await mirrored();
    link.push('approvals.changed', {
      approvals: [request('1'), request('2', { expiresAt: 900 }), request('3')],
    });
    await answerApproval(model, request('1'), 'once');
    link.push('approvals.changed', { approvals: [request('2', { expiresAt: 900 }), request('3')] });
    link.push('approvals.changed', { approvals: [request('3')] });
    link.push('approvals.changed', { approvals: [] });
    expect(notifier.noted).toEqual([
      'done: Claude Desktop may run s:write once.',
      'done: No answer in time: Claude Desktop was not allowed to run s:write.',
      'done: Claude Desktop is no longer waiting for s:write.',
    ]);
  });

  it('stay where the answer was refused', async () => {
    const { model, notifier } = await mirrored({ 'access.answer': () => refused, ...granted(() => []) });
    await answerApproval(model, request('1'), 'always');
    expect(notifier.noted).toEqual(['problem: config.unwritable']);
    expect(model.approval.getState().answered.has('1')).toBe(false);
  });

  it('[REQ-MCP-AUTH-001] are always allowed with undo: the rule is removed again', async () => {
    let rules: readonly Grant[] = [];
    const { model, link, notifier } = await mirrored({
      ...granted(() => rules),
      'access.answer': () => {
        rules = [about('made', 'allow')];
        return { ok: true, value: undefined };
      },
    });
    await answerApproval(model, request('1'), 'always');
    expect(notifier.noted).toEqual(['undoable: Claude Desktop may always run s:write.']);
    notifier.undos.get('always-1')?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(link.calls.at(-1)).toEqual({ name: 'access.revokeGrant', input: { grantId: 'made' } });
    expect(notifier.noted.at(-1)).toBe('done: Claude Desktop asks again before it runs s:write.');
    expect(notifier.undos.size).toBe(0);
  });

  it('[REQ-MCP-AUTH-001] are always allowed with undo: the previous rule is restored', async () => {
    let rules = [about('before', 'ask')];
    const { model, link, notifier } = await mirrored({
      ...granted(() => rules),
      'access.answer': () => {
        rules = [about('made', 'allow')];
        return { ok: true, value: undefined };
      },
    });
    await answerApproval(model, request('1'), 'always');
    notifier.undos.get('always-1')?.();
    await new Promise((resolve) => setImmediate(resolve));
    const { id: _id, grantedAt: _at, grantedBy: _by, ...asked } = about('before', 'ask');
    expect(link.calls.at(-1)).toEqual({ name: 'access.grant', input: asked });
  });

  it('are shown by the command of the tray and the notification', async () => {
    const { model } = await mirrored();
    model.approval.setState({ folded: true });
    runPushedCommand(model, { kind: 'show-approvals' });
    expect(model.approval.getState()).toMatchObject({ folded: false, wanted: true });
    model.approval.setState({ wanted: false });
    showApprovals(model);
    expect(model.approval.getState().wanted).toBe(true);
  });
});

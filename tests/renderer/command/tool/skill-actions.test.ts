import { describe, expect, it } from 'vitest';
import {
  classifyAgain,
  decideSuggestion,
  moveToSkill,
  releaseTool,
} from '../../../../renderer/command/tool/skill-actions.ts';
import type { ToolSkills } from '../../../../shared/model/tool/skill.ts';
import { refused, testModel } from '../../helper/test-model.ts';

const guessed: ToolSkills = {
  serverKey: 's',
  name: 't',
  isClassified: true,
  skills: [{ id: 'files', confidence: 0.7 }],
  by: 'rules',
};
const said: ToolSkills = { ...guessed, by: 'person', skills: [{ id: 'email', confidence: 1 }] };
const mail = { id: 'email', name: 'Mail' };

describe('corrections of skills', () => {
  it('[AG-US3-AC2] are undone to the classification, or to the earlier correction', async () => {
    const { model, link, notifier } = testModel();
    await moveToSkill(model, guessed, mail);
    expect(notifier.noted).toEqual(['undoable: t is now under Mail.']);
    notifier.undos.get('skill:s:t')?.();
    await moveToSkill(model, said, { id: 'files', name: 'Files' });
    notifier.undos.get('skill:s:t')?.();
    await releaseTool(model, said);
    notifier.undos.get('skill:s:t')?.();
    const tool = { serverKey: 's', name: 't' };
    expect(link.calls).toEqual([
      { name: 'skill.correct', input: { ...tool, skills: ['email'] } },
      { name: 'skill.release', input: tool },
      { name: 'skill.correct', input: { ...tool, skills: ['files'] } },
      { name: 'skill.correct', input: { ...tool, skills: ['email'] } },
      { name: 'skill.release', input: tool },
      { name: 'skill.correct', input: { ...tool, skills: ['email'] } },
    ]);
  });

  it('[AG-US3-AC8] decide about suggestions, and reopen them', async () => {
    const { model, link, notifier } = testModel();
    const suggestion = { id: 'x', name: 'Brewing', description: '', tools: [], by: 'rules' } as const;
    for (const decision of ['accept', 'dismiss'] as const) {
      await decideSuggestion(model, suggestion, decision);
      notifier.undos.get('suggestion:x')?.();
    }
    expect(link.calls.map(({ input }) => input)).toEqual([
      { suggestion: 'x', decision: 'accept' },
      { suggestion: 'x', decision: 'reopen' },
      { suggestion: 'x', decision: 'dismiss' },
      { suggestion: 'x', decision: 'reopen' },
    ]);
  });

  it('[AG-US3-AC1] say what stopped them, and offer nothing to take back', async () => {
    const { model, notifier } = testModel({
      'skill.correct': () => refused,
      'skill.reclassify': () => refused,
    });
    await moveToSkill(model, guessed, mail);
    await classifyAgain(model, 's');
    expect(notifier.noted).toEqual(['problem: config.unwritable', 'problem: config.unwritable']);
  });
});

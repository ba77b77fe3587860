import type { IpcCallName, IpcInput } from '../../shared/ipc/contract.ts';
import type { Decision, Skill, SkillSuggestion, ToolSkills } from '../../shared/model/skill.ts';
import type { Model } from '../store/model.ts';
import { titleOf } from '../store/server-title.ts';
import { toolId } from '../store/tool-id.ts';
import { navigate } from './navigate.ts';
import { offerUndo } from './undo-actions.ts';

/** Pseudo-skill for tools without a skill. */
export const unclassified = 'unclassified';

/** Opens the tools by skill, at one skill if given. */
/** An open tool belongs to the previous skill. */
export function openSkills(model: Model, skill?: string): void {
  const { tool, ...place } = model.view.getState().place;
  const at = skill === undefined ? { ...(tool && { tool }) } : { skill };
  navigate(model, { ...place, ...at, view: 'tools', toolsPage: 'skills' });
}

export function openToolsByServer(model: Model): void {
  navigate(model, { ...model.view.getState().place, view: 'tools', toolsPage: 'servers' });
}

/** Moves a tool to a skill by hand; can be undone. */
export async function moveToSkill(
  model: Model,
  tool: ToolSkills,
  { id, name }: Pick<Skill, 'id' | 'name'>,
): Promise<void> {
  const { serverKey, name: toolName } = tool;
  if (!(await callOrReport(model, 'skill.correct', { serverKey, name: toolName, skills: [id] }))) return;
  offerRestore(model, tool, `${toolName} is now under ${name}.`);
}

/** Removes a manual classification, so that the automatic one applies again. */
export async function releaseTool(model: Model, tool: ToolSkills): Promise<void> {
  const { serverKey, name } = tool;
  if (!(await callOrReport(model, 'skill.release', { serverKey, name }))) return;
  offerRestore(model, tool, `${name} is classified automatically again.`);
}

/** Accepts or dismisses a suggested skill; either can be undone. */
export async function decideSuggestion(
  model: Model,
  { id, name }: SkillSuggestion,
  decision: Exclude<Decision, 'reopen'>,
): Promise<void> {
  if (!(await callOrReport(model, 'skill.decide', { suggestion: id, decision }))) return;
  const undoId = `suggestion:${id}`;
  const message = decision === 'accept' ? `${name} is a skill now.` : `${name} will not be suggested again.`;
  offerUndo(model, undoId, message, () => {
    void callOrReport(model, 'skill.decide', { suggestion: id, decision: 'reopen' });
  });
}

/** Classifies tools again: of one server, or of all. */
export async function classifyAgain(model: Model, serverKey?: string): Promise<void> {
  const which = serverKey === undefined ? {} : { servers: [serverKey] };
  if (await callOrReport(model, 'skill.reclassify', which)) {
    const servers = serverKey === undefined ? 'all servers' : titleOf(model, serverKey);
    model.notify.done(`Classifying the tools of ${servers} again. Tools you moved stay where they are.`);
  }
}

/** Replaces an older offer for the same tool, which would undo too much. */
function offerRestore(model: Model, before: ToolSkills, message: string): void {
  offerUndo(model, `skill:${toolId(before)}`, message, () => void restore(model, before));
}

async function restore(model: Model, { serverKey, name, by, skills }: ToolSkills): Promise<void> {
  if (by !== 'person') await callOrReport(model, 'skill.release', { serverKey, name });
  else await callOrReport(model, 'skill.correct', { serverKey, name, skills: skills.map(({ id }) => id) });
}

/** Makes a call and reports a problem; true if it succeeded. */
async function callOrReport<N extends IpcCallName>(
  model: Model,
  name: N,
  input: IpcInput<N>,
): Promise<boolean> {
  const answer = await model.link.call(name, input);
  if (!answer.ok) model.notify.problem(answer.problem);
  return answer.ok;
}

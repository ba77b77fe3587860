import type { ToolSummary } from '../../shared/model/tool.ts';
import { groupBy } from '../lib/group-by.ts';
import type { Model } from '../store/model.ts';
import { toolId } from '../store/tool-id.ts';
import { addPendingChange, dropPendingChange, settlePendingChange } from '../store/wish-store.ts';

/** Switches tools of any servers: one call per server, each rolled back separately if refused. */
export async function setToolsEnabled(
  model: Model,
  tools: readonly Pick<ToolSummary, 'serverKey' | 'name'>[],
  enabled: boolean,
): Promise<void> {
  const byServer = groupBy(tools, (tool) => tool.serverKey);
  await Promise.all(
    Object.entries(byServer).map(([serverKey, group]) => setGroup(model, serverKey, group, enabled)),
  );
}

async function setGroup(
  model: Model,
  serverKey: string,
  tools: readonly Pick<ToolSummary, 'serverKey' | 'name'>[],
  enabled: boolean,
): Promise<void> {
  const ids = tools.map(toolId);
  const ticket = addPendingChange(model.pendingToolSwitches, ids, enabled);
  const names = tools.map((tool) => tool.name);
  const answer = await model.link.call('tool.setEnabled', { serverKey, names, enabled });
  if (answer.ok) {
    settlePendingChange(model.pendingToolSwitches, ids, ticket, (id) => mirroredSwitch(model, serverKey, id));
  } else {
    dropPendingChange(model.pendingToolSwitches, ids, ticket);
    model.notify.problem(answer.problem);
  }
}

function mirroredSwitch(model: Model, serverKey: string, id: string): boolean | undefined {
  return model.mirrors.tools.getState()[serverKey]?.find((tool) => toolId(tool) === id)?.enabled;
}

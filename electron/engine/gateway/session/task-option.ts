import { isRecord, scalarText } from '../../../../shared/json.ts';
import type { CatalogueView, NamedItem } from '../../catalogue/contract.ts';
import { RpcError } from '../../jsonrpc/message.ts';
import type { RawRequest } from '../../jsonrpc/raw-message.ts';
import { editMessage } from '../../transport/modern/edit-message.ts';
import { declaresTasksIn, tasksNotDeclared } from '../../transport/modern/task-shapes.ts';

/** A call, and whether its answer may be a task. */
export interface TaskOption {
  readonly request: RawRequest;
  readonly mayBeTask: boolean;
}

/**
 * Asks for a task in the name of a stateless client that can have one, if the tool of a server with sessions
 * can be one: such a client leaves it to the server. Throws RpcError if the tool is always a task and the client
 * knows none.
 */
export function withTaskOption(
  request: RawRequest,
  view: CatalogueView,
  taskServers: ReadonlySet<string>,
): TaskOption {
  if (request.param('task') !== undefined) return { request, mayBeTask: true };
  const declared = request.paramText('clientCapabilities');
  if (declared === undefined) return { request, mayBeTask: false };
  const mayBeTask = declaresTasksIn(declared);
  const name = scalarText(request.param('name'));
  const found = view.findTool(name);
  const support = found.kind === 'found' ? taskSupportOf(found.target, taskServers) : undefined;
  if (support === 'required' && !mayBeTask) throw new RpcError(tasksNotDeclared(`The tool ${name}`));
  if (!mayBeTask || (support !== 'optional' && support !== 'required')) return { request, mayBeTask };
  // An edited request is one.
  const asked = editMessage(request, ['params'], [{ name: 'task', value: Buffer.from('{}') }]) as RawRequest;
  return { request: asked, mayBeTask };
}

function taskSupportOf({ serverKey, item }: NamedItem, taskServers: ReadonlySet<string>): unknown {
  const { execution } = item;
  return taskServers.has(serverKey) && isRecord(execution) ? execution.taskSupport : undefined;
}

import { isRecord } from '../../../../shared/json.ts';
import { relatedTaskKey } from '../../../../shared/model/mcp.ts';
import { editMembers, readMember } from '../../jsonrpc/json/edit-json.ts';
import { isObject } from './edit-message.ts';
import { modernErrorCodes } from './protocol.ts';

/** Id of the extension in which the stateless protocol has its tasks. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Requests about tasks that a stateless server of the extension answers. */
export const taskMethods: ReadonlySet<string> = new Set(['tasks/get', 'tasks/update', 'tasks/cancel']);

type Members = Readonly<Record<string, unknown>>;

/** A task as one of the protocols describes it. */
export type TaskMembers = Members & { readonly taskId: string };

/** Tells whether these capabilities of a client or server have the extension. */
export function declaresTasks({ extensions }: Members): boolean {
  return isRecord(extensions) && isRecord(extensions[tasksExtension]);
}

/** Tells whether capabilities in JSON have the extension; nearly all lack it and are not parsed. */
export function declaresTasksIn(capabilities: string): boolean {
  return capabilities.includes(tasksExtension) && declaresTasks(JSON.parse(capabilities));
}

/** Returns the capabilities with the extension. */
export function withTasksExtension(capabilities: Members): Members {
  const { extensions } = capabilities;
  return {
    ...capabilities,
    extensions: { [tasksExtension]: {}, ...(isRecord(extensions) ? extensions : {}) },
  };
}

/** Error for a request that only makes sense with the extension. */
export function tasksNotDeclared(subject: string) {
  return {
    code: modernErrorCodes.missingCapability,
    message: `${subject} needs the extension ${tasksExtension}, which the client did not declare`,
    data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
  };
}

/** Tells whether an error says that a call needs the extension. */
export function needsTasks(code: number, data: unknown): boolean {
  const required = isRecord(data) ? data.requiredCapabilities : undefined;
  return code === modernErrorCodes.missingCapability && isRecord(required) && declaresTasks(required);
}

export function isTask(value: unknown): value is TaskMembers {
  return isRecord(value) && typeof value.taskId === 'string' && typeof value.status === 'string';
}

/** Tells whether nothing more happens in a task with this status. */
export function hasEnded(status: unknown): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/** Names the members of a session-based task as the extension does; others stay. */
export function toModernTask({ ttl, pollInterval, ...task }: TaskMembers): TaskMembers {
  return {
    lastUpdatedAt: task.createdAt,
    ...task,
    ttlMs: typeof ttl === 'number' ? ttl : null,
    ...(pollInterval === undefined ? {} : { pollIntervalMs: pollInterval }),
  };
}

/** The reverse, without what the extension puts inside a task and the session-based protocol does not. */
export function toLegacyTask(task: TaskMembers): TaskMembers {
  const { ttlMs, pollIntervalMs, resultType, result, error, inputRequests, _meta, ...others } = task;
  return {
    ...others,
    ttl: ttlMs ?? null,
    ...(pollIntervalMs === undefined ? {} : { pollInterval: pollIntervalMs }),
  };
}

/** Params or a result in which a session-based server says to which task they belong. */
export function withRelatedTask(bytes: Buffer, taskId: string): Buffer {
  const value = Buffer.from(JSON.stringify({ taskId }));
  const meta = readMember(bytes, ['_meta']);
  const opened = meta === undefined || isObject(meta) ? bytes : editMembers(bytes, [], [emptyMeta]);
  return editMembers(opened, ['_meta'], [{ name: relatedTaskKey, value }]);
}

/** The reverse. */
export function withoutRelatedTask(bytes: Buffer): Buffer {
  const meta = readMember(bytes, ['_meta']);
  if (meta === undefined || !isObject(meta)) return bytes;
  const names = Object.keys(JSON.parse(meta.toString('utf8')));
  return names.length > 0 && names.every((name) => name === relatedTaskKey)
    ? editMembers(bytes, [], [{ name: '_meta', value: undefined }])
    : editMembers(bytes, ['_meta'], [{ name: relatedTaskKey, value: undefined }]);
}

/** Returns the id of the task that a question names. */
export function relatedTaskId(params: Members | undefined): string | undefined {
  const meta = params?._meta;
  const related = isRecord(meta) ? meta[relatedTaskKey] : undefined;
  return isRecord(related) && typeof related.taskId === 'string' ? related.taskId : undefined;
}

const emptyMeta = { name: '_meta', value: Buffer.from('{}') };

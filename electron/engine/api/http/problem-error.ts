import type { Problem, ProblemCode } from '../../../../shared/error/problem.ts';
import { ApiError, type ErrorStatus, type ErrorType } from './api-error.ts';

/** A problem of the hub as an answer. */
export function problemError(problem: Problem): ApiError {
  const { code, sentence, fix } = problem;
  const [status, type] = statuses.get(code) ?? [500, 'ServerError'];
  return new ApiError(status, type, code, sentence, { fix });
}

type Row = readonly [ErrorStatus, ErrorType];
const invalid: Row = [422, 'BadRequestError'];
const conflict: Row = [409, 'ConflictError'];
const missing: Row = [404, 'NotFoundError'];
const busy: Row = [503, 'ServiceUnavailableError'];

const statuses: ReadonlyMap<ProblemCode, Row> = new Map<ProblemCode, Row>([
  ['config.invalid_schema', invalid],
  ['config.missing_env_var', invalid],
  ['config.duplicate_key', conflict],
  ['config.changed_meanwhile', conflict],
  ['config.invalid_json', conflict],
  ['config.unreadable', busy],
  ['config.unwritable', busy],
  ['config.unknown_server', missing],
  ['access.unknown_identity', missing],
  ['access.unknown_grant', missing],
  ['access.approval_gone', missing],
  ['access.identity_exists', conflict],
  ['access.unreadable', busy],
  ['access.unsaved', busy],
  ['skill.unknown', missing],
  ['call.unknown_tool', [404, 'ToolNotFoundError']],
  ['hub.disk_full', busy],
  ['hub.busy', busy],
  ['hub.newer_data', busy],
  ['hub.unreachable', busy],
  ['hub.database_unreadable', busy],
  ['hub.data_folder_unwritable', busy],
]);

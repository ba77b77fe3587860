import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { type AdminCallName, type AdminInput, adminCalls } from '../../../../shared/ipc/admin-calls.ts';
import type { AdminService } from '../../gateway/admin-session.ts';
import type { AdminHandlers } from './admin-handlers.ts';

/** Validates calls against the table before they are typed and run. */
export function createAdminService(handlers: AdminHandlers): AdminService {
  return { answer: async (call, input) => run(handlers, callName(call), input) };
}

async function run<N extends AdminCallName>(handlers: AdminHandlers, name: N, input: unknown) {
  const parsed = adminCalls[name].input.safeParse(input);
  if (!parsed.success) throw refused(`The input of the command ${name} is invalid.`, parsed.error.message);
  // Safe: the parsed schema belongs to this name.
  return handlers[name](parsed.data as AdminInput<N>);
}

function callName(name: string): AdminCallName {
  if (Object.hasOwn(adminCalls, name)) return name as AdminCallName;
  throw refused(`The running Patchbay does not know the command ${name}.`, undefined);
}

function refused(sentence: string, details: string | undefined): ProblemError {
  const fix = 'Patchbay and the command must have the same version: restart Patchbay after an update.';
  return new ProblemError(problem('app.invalid_request', sentence, fix, { details }));
}

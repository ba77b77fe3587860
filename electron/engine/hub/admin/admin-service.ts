import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import {
  isBehind,
  type OperationInput,
  type OperationName,
  type OperationsBehind,
  operations,
} from '../../../../shared/operations/table.ts';
import { commandLine } from '../../base/command-line-actor.ts';
import type { AdminService } from '../../gateway/socket/admin-session.ts';
import type { RunOperation } from '../hub-contract.ts';

export interface CommandedHub {
  readonly run: RunOperation;
  /** Masks secrets that servers were given and repeat in their own texts. */
  mask<T>(view: T): T;
}

/**
 * Runs operations for commands: checks a call against the table and runs it with the command line as actor.
 * `hub` resolves once the hub runs.
 */
export function createAdminService(hub: () => Promise<CommandedHub>): AdminService {
  return {
    async answer(call, input) {
      const name = operationName(call);
      const parsed = operations[name].input.safeParse(input);
      if (!parsed.success)
        throw refused(`The input of the command ${name} is invalid.`, parsed.error.message);
      const { run, mask } = await hub();
      // Safe: the input was parsed by the schema of this operation.
      const output = await run(name, parsed.data as OperationInput<typeof name>, commandLine);
      return masked.has(name) ? mask(output) : output;
    },
  };
}

/** Operations whose outputs repeat texts of servers. */
const masked: ReadonlySet<OperationName> = new Set(['hub.status', 'search.find']);

function operationName(name: string): OperationsBehind<'cli'> {
  if (isBehind('cli', name)) return name;
  throw refused(`The running Patchbay does not know the command ${name}.`, undefined);
}

function refused(sentence: string, details: string | undefined): ProblemError {
  const fix = 'Patchbay and the command must have the same version: restart Patchbay after an update.';
  return new ProblemError(problem('app.invalid_request', sentence, fix, { details }));
}

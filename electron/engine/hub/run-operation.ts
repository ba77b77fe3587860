import { toProblem } from '../../../shared/error/problem.ts';
import type { AuditNote } from '../../../shared/model/activity/audit.ts';
import {
  type OperationInput,
  type OperationName,
  type OperationOutput,
  operations,
} from '../../../shared/operations/table.ts';
import type { OperationHandlers } from '../base/operation-handlers.ts';
import type { RunOperation } from './hub-contract.ts';

/** Runs the handler of an operation and records it with its actor and outcome. */
export function operationRunner(handlers: OperationHandlers, note: (note: AuditNote) => void): RunOperation {
  return async <N extends OperationName>(name: N, input: OperationInput<N>, by = 'window') => {
    const notes = notesOf(name, input).map((one) => ({ actor: by, ...one }));
    try {
      const output = await handlers[name](input, { by });
      for (const one of notes) note(one);
      // An operation without an output may be handled by a function that returns nothing.
      return output as OperationOutput<N>;
    } catch (error) {
      const { sentence } = toProblem(error);
      for (const one of notes) note({ ...one, outcome: 'failed', text: sentence });
      throw error;
    }
  };
}

function notesOf<N extends OperationName>(name: N, input: OperationInput<N>): readonly AuditNote[] {
  // The note takes the input of its own row.
  const audit = operations[name].audit as ((input: OperationInput<N>) => readonly AuditNote[]) | undefined;
  return audit?.(input) ?? [];
}

import type { OperationInput, OperationName, OperationOutput } from '../../../shared/operations/table.ts';

/** The actor that runs an operation, as the audit log names it. */
export interface OperationContext {
  readonly by: string;
}

/** One handler for each row of the table of operations; it fails by throwing, best a ProblemError. */
export type OperationHandlers = {
  readonly [N in OperationName]: (
    input: OperationInput<N>,
    context: OperationContext,
  ) => HandlerResult<N> | Promise<HandlerResult<N>>;
};

/** An operation without an output may be handled by a function that returns nothing. */
type HandlerResult<N extends OperationName> =
  OperationOutput<N> extends undefined ? ReturnType<() => void> : OperationOutput<N>;

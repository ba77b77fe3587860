import type { z } from 'zod';
import type { AuditNote } from '../model/activity/audit.ts';

/**
 * An entry point into the hub from outside its process: the window, commands over the hub's socket, the REST
 * API. The shell around the hub may run any operation.
 */
export type Door = 'window' | 'cli' | 'rest';

export interface OperationRow<I extends z.ZodType, O extends z.ZodType, D extends readonly Door[]> {
  readonly input: I;
  readonly output: O;
  readonly doors: D;
  /** Returns the notes for the audit log, made before the operation runs; its outcome is added to each. */
  readonly audit?: (input: z.infer<I>) => readonly AuditNote[];
}

/** Types a row by its own schemas. */
export function operation<I extends z.ZodType, O extends z.ZodType, const D extends readonly Door[]>(
  row: OperationRow<I, O, D>,
): OperationRow<I, O, D> {
  return row;
}

export function serverNote(action: string, serverKey: string, text?: string): AuditNote {
  return { kind: 'server', action, serverKey, text };
}

export function toolNote(action: string, serverKey: string, tool: string, text?: string): AuditNote {
  return { kind: 'server', action, serverKey, tool, text };
}

export function hubNote(action: string, text?: string): AuditNote {
  return { kind: 'hub', action, text };
}

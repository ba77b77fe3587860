import { toProblem } from '../../../../shared/error/problem.ts';
import type { AuditNote } from './contract.ts';

/** Describes each operation: one note for each thing that it does, built before the outcome is known. */
export type Described<T, N extends keyof T = keyof T> = {
  readonly [M in N]: (...args: ArgumentsOf<T[M]>) => readonly AuditNote[];
};

type ArgumentsOf<F> = F extends (...args: infer A) => unknown ? A : never;

export interface NoteTaker {
  readonly note: (note: AuditNote) => void;
  /** Returns the current actor. */
  readonly actor: () => string;
}

/**
 * Wraps operations so that each is recorded with its outcome and actor. The operations are called without
 * `this`.
 */
export function withNotes<T extends object, N extends keyof T>(
  part: T,
  descriptions: Described<T, N>,
  taker: NoteTaker,
): Pick<T, N> {
  const noted = (Object.keys(descriptions) as N[]).map((name) => [
    name,
    notedOne(part, name, descriptions, taker),
  ]);
  // Each wrapper has the signature of the operation it wraps.
  return Object.fromEntries(noted) as Pick<T, N>;
}

function notedOne<T, N extends keyof T>(
  part: T,
  name: N,
  descriptions: Described<T, N>,
  { note, actor }: NoteTaker,
) {
  const operate = part[name] as (...args: ArgumentsOf<T[N]>) => unknown;
  return async (...args: ArgumentsOf<T[N]>): Promise<unknown> => {
    const by = actor();
    const notes = descriptions[name](...args);
    try {
      const result = await operate(...args);
      for (const one of notes) note({ ...one, actor: by });
      return result;
    } catch (error) {
      const { sentence } = toProblem(error);
      for (const one of notes) note({ ...one, actor: by, outcome: 'failed', text: sentence });
      throw error;
    }
  };
}

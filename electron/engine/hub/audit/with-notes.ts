import { toProblem } from '../../../../shared/error/problem.ts';
import type { AuditNote } from './contract.ts';

/** What one operation is about: a note for each thing it does, made before it is known how it ends. */
export type Described<T, N extends keyof T = keyof T> = {
  readonly [M in N]: (...args: ArgumentsOf<T[M]>) => readonly AuditNote[];
};

type ArgumentsOf<F> = F extends (...args: infer A) => unknown ? A : never;

export interface NoteTaker {
  readonly note: (note: AuditNote) => void;
  /** Who asks now. */
  readonly actor: () => string;
}

/** The same operations, each noted once it is known how it ended, with whoever asked for it. They are called without `this`. */
export function withNotes<T extends object, N extends keyof T>(
  part: T,
  descriptions: Described<T, N>,
  taker: NoteTaker,
): Pick<T, N> {
  const noted = (Object.keys(descriptions) as N[]).map((name) => [
    name,
    notedOne(part, name, descriptions, taker),
  ]);
  // Each is a function of the same kind as the one it stands for.
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

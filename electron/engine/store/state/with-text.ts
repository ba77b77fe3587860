import type { ReferenceExpression, SelectQueryBuilder } from 'kysely';
import type { StateTables } from './tables.ts';

/**
 * Rows with this text in one of these columns. `instr` takes the text as it is, where `like` has signs of its own. SQLite's
 * `lower` knows A to Z only.
 */
export function withText<T extends keyof StateTables, O>(
  select: SelectQueryBuilder<StateTables, T, O>,
  columns: readonly ReferenceExpression<StateTables, T>[],
  text: string,
): SelectQueryBuilder<StateTables, T, O> {
  const wanted = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return select.where((where) =>
    where.or(
      columns.map((column) =>
        where(where.fn<number>('instr', [where.fn('lower', [column]), where.val(wanted)]), '>', 0),
      ),
    ),
  );
}

import type { ExpressionBuilder, ReferenceExpression, SelectQueryBuilder } from 'kysely';
import type { StateTables } from '../../store/db/tables.ts';

/** Selects rows with this text in one of these columns. */
export function withText<T extends keyof StateTables, O>(
  select: SelectQueryBuilder<StateTables, T, O>,
  columns: readonly ReferenceExpression<StateTables, T>[],
  text: string,
): SelectQueryBuilder<StateTables, T, O> {
  return select.where((where) => textIn(where, columns, text));
}

/**
 * Builds the condition that this text is in one of these columns. `instr` takes the text literally, while
 * `like` has wildcards. SQLite's `lower` knows only A to Z.
 */
export function textIn<T extends keyof StateTables>(
  where: ExpressionBuilder<StateTables, T>,
  columns: readonly ReferenceExpression<StateTables, T>[],
  text: string,
) {
  const wanted = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return where.or(
    columns.map((column) =>
      where(where.fn<number>('instr', [where.fn('lower', [column]), where.val(wanted)]), '>', 0),
    ),
  );
}

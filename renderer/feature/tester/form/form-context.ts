import type { FieldPathList } from '@rjsf/utils';
import { pathKey } from './form-text.ts';

/** Data shared with all fields of a form. */
export interface SchemaFormContext {
  /** Numbers the form would round, as written, by {@link placeOf}. */
  readonly exact: ReadonlyMap<string, string>;
  /** Completions for a field of this name, if the server offers them. */
  readonly complete?: ((name: string, value: string) => Promise<readonly string[]>) | undefined;
}

/** Returns the label of a list item, which has no visible label. */
export function itemLabel(path: FieldPathList, name: string): string | undefined {
  return typeof path.at(-1) === 'number' ? name : undefined;
}

/** Returns the number as written, if the form cannot represent it exactly. */
export function exactNumberAt(context: SchemaFormContext, path: FieldPathList): string | undefined {
  return context.exact.get(pathKey(path));
}

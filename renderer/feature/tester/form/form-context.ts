import type { FieldPathList } from '@rjsf/utils';
import { placeOf } from './form-text.ts';

/** What the parts of a form know of the whole. */
export interface SchemaFormContext {
  /** Numbers that the form would change, by {@link placeOf}, as they are written. */
  readonly exact: ReadonlyMap<string, string>;
  /** Proposals for a member of this name, where the server makes some. */
  readonly complete?: ((name: string, value: string) => Promise<readonly string[]>) | undefined;
}

/** What an item of a list is called, which has no label beside it. */
export function itemLabel(path: FieldPathList, name: string): string | undefined {
  return typeof path.at(-1) === 'number' ? name : undefined;
}

/** The number at this place as it is written, where the form cannot hold it. */
export function exactAt(context: SchemaFormContext, path: FieldPathList): string | undefined {
  return context.exact.get(placeOf(path));
}

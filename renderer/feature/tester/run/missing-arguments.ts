import { readFormText } from '../form/form-text.ts';
import { checkValue } from '../form/schema-checker.ts';

/** Returns the names of required arguments that are missing. */
export function missingArguments(schema: unknown, text: string): readonly string[] {
  const read = readFormText(text);
  if (read.kind === 'broken') return [];
  const verdict = checkValue(schema, read.value);
  if (verdict.kind === 'unusable') return [];
  return verdict.issues.filter(({ keyword }) => keyword === 'required').map(({ path }) => path.join('.'));
}

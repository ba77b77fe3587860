import type { RJSFSchema, ValidatorType } from '@rjsf/utils';
import { PartChecker } from './schema-checker.ts';

/**
 * What the form library asks to tell which choice a value is of. It shows no mistakes: those are found in the text that is
 * sent, by the schema as the server wrote it.
 */
export function createFormValidator(): ValidatorType {
  const checker = new PartChecker();
  return {
    isValid: (schema: RJSFSchema, value: unknown, root: RJSFSchema) => checker.isValid(schema, value, root),
    validateFormData: () => ({ errors: [], errorSchema: {} }),
    rawValidation: () => ({ errors: [] }),
  };
}

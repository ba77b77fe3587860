import { isRecord } from '../../../../shared/json.ts';
import type { ImportInput } from '../../../../shared/model/import/import-session.ts';
import { passwordInput, textInput } from '../reference/input-collector.ts';

/** Reads VS Code's `inputs`, by id. Invalid descriptions are skipped. */
export function declaredInputs(value: unknown): ReadonlyMap<string, ImportInput> {
  const list = Array.isArray(value) ? value : [];
  return new Map(
    list.flatMap((item: unknown) => {
      if (!isRecord(item) || typeof item.id !== 'string') return [];
      return [[item.id, inputOf(item.id, item)] as const];
    }),
  );
}

function inputOf(name: string, item: Readonly<Record<string, unknown>>): ImportInput {
  const id = `input:${name}`;
  const description = typeof item.description === 'string' ? item.description : undefined;
  if (item.password === true) return passwordInput(id, name, description);
  const options = Array.isArray(item.options) ? item.options.flatMap(optionOf) : [];
  return textInput(id, name, {
    ...(description === undefined ? {} : { description }),
    ...(typeof item.default === 'string' ? { default: item.default } : {}),
    ...(options.length === 0 ? {} : { kind: 'choice', options }),
  });
}

/** Accepts a text, or `{ label, value }`. */
function optionOf(option: unknown): readonly string[] {
  if (typeof option === 'string') return [option];
  return isRecord(option) && typeof option.value === 'string' ? [option.value] : [];
}

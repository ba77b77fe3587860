import { isRecord } from '../../../../shared/json.ts';
import type { EntryIssue } from '../../../../shared/model/import.ts';
import { splitCommand } from '../../../../shared/split-command.ts';
import type { Entry } from './dialects.ts';
import { isEmpty, type Step, warning, withoutNull } from './entry-step.ts';

/** Reads variables and headers as lists or lines, arguments as one line, a command with spaces around it. */
export function readTexts(entry: Entry): ReturnType<Step> {
  const notes: EntryIssue[] = [];
  const read = Object.fromEntries(
    Object.entries(entry).flatMap(([name, value]): [string, unknown][] => {
      if (name === 'command' && typeof value === 'string') return [[name, value.trim()]];
      if (name === 'args') {
        if (typeof value === 'string') {
          if (value.trim() === '') return [];
          notes.push(warning('args', 'args was one text; it was split into words'));
          return [[name, splitCommand(value)]];
        }
        if (isRecord(value) && isEmpty(value)) return [];
        if (!Array.isArray(value)) return [[name, value]];
        const words: readonly unknown[] = value.flat(2).filter((word) => word !== null);
        // No program takes its first option and its package in one argument.
        const [first, ...others] = words;
        const isLine = typeof first === 'string' && /^(?:-y|--yes|--from)\s+\S/.test(first);
        return [[name, isLine ? [...splitCommand(first), ...others] : words]];
      }
      if (name !== 'env' && name !== 'headers') return [[name, value]];
      const fields = toRecord(
        value,
        name === 'env' ? /=/ : /(?<!\s)\s*[:=]\s*/,
        name === 'env' && Array.isArray(value),
      );
      if (fields === undefined) return [[name, value]];
      return Array.isArray(value) && Object.keys(fields).length === 0 ? [] : [[name, withoutNull(fields)]];
    }),
  );
  return { entry: read, notes };
}

/** Returns a record unchanged; converts `K=V` lines, a list of them, or a list of `{ name, value }`. */
function toRecord(value: unknown, sign: RegExp, isList: boolean): Entry | undefined {
  if (isRecord(value)) return value;
  const items: readonly unknown[] | undefined =
    typeof value === 'string'
      ? value.split('\n').filter((line) => line.trim() !== '')
      : Array.isArray(value)
        ? value
        : undefined;
  if (items === undefined) return undefined;
  const fields = items.map((item) => {
    if (isRecord(item)) {
      const name = item.name ?? item.key;
      return typeof name === 'string' ? ([name, item.value ?? ''] as const) : undefined;
    }
    // A lone name passes the variable on.
    if (typeof item === 'string' && isList && /^[A-Za-z_]\w{0,100}$/.test(item))
      return [item, `\${${item}}`] as const;
    const match = typeof item === 'string' ? sign.exec(item) : null;
    if (match === null || typeof item !== 'string' || match.index === 0) return undefined;
    return [item.slice(0, match.index).trim(), item.slice(match.index + match[0].length)] as const;
  });
  return fields.every((field) => field !== undefined) ? Object.fromEntries(fields) : undefined;
}

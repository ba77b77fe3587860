import { isRecord } from '../../../../shared/json.ts';
import { relatedTaskKey } from '../../../../shared/model/mcp.ts';
import type { RawItem } from '../contract.ts';
import { withMembers } from '../item-text.ts';
import { mapItems, mapMembers } from './map-members.ts';

/** Returns the corrected value; undefined if the member should be left out. */
export type RepairMember = (value: unknown, item: RawItem) => unknown;

export const text: RepairMember = (value) => (typeof value === 'string' ? value : undefined);

export const bool: RepairMember = (value) => {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === 1) return value === 1;
  const word = typeof value === 'string' ? value.slice(0, 6).toLowerCase() : undefined;
  return word === 'true' || word === 'false' ? word === 'true' : undefined;
};

export const number: RepairMember = (value) => {
  if (typeof value === 'number') return value;
  const read =
    typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : Number.NaN;
  return Number.isNaN(read) ? undefined : read;
};

export const record: RepairMember = (value) => {
  if (isRecord(value)) return value;
  // PHP writes an empty object as an empty array.
  return Array.isArray(value) && value.length === 0 ? {} : undefined;
};

/** A number from 0 to 1. */
const fraction: RepairMember = (value, item) => {
  const read = number(value, item);
  return typeof read === 'number' && read >= 0 && read <= 1 ? read : undefined;
};

const timestamp: RepairMember = (value) => {
  const isMoment =
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(value);
  return isMoment && !Number.isNaN(Date.parse(value)) ? value : undefined;
};

export const listOf =
  (repair: RepairMember): RepairMember =>
  (value, item) =>
    Array.isArray(value) ? mapItems(value, (member) => repair(member, item)) : undefined;

const texts: RepairMember = (value, item) =>
  typeof value === 'string' ? [value] : listOf(text)(value, item);

export const oneOf =
  (...values: readonly string[]): RepairMember =>
  (value) =>
    values.some((known) => known === value) ? value : undefined;

/** Corrects an object; it is left out if a required member is missing. */
export function repairObject(
  members: Readonly<Record<string, RepairMember>>,
  ...required: readonly string[]
): RepairMember {
  return (value, item) => {
    const found = record(value, item);
    if (!isRecord(found)) return undefined;
    const repaired = mapMembers(found, (name, member) =>
      Object.hasOwn(members, name) ? members[name]?.(member, item) : member,
    );
    return required.every((name) => repaired[name] !== undefined) ? repaired : undefined;
  };
}

const token: RepairMember = (value) =>
  typeof value === 'string' || Number.isInteger(value) ? value : undefined;

/** `_meta` of a result or of params, of which the protocol defines two members; all others are the server's own. */
export const meta = repairObject({
  progressToken: token,
  [relatedTaskKey]: repairObject({ taskId: text }, 'taskId'),
});

export const icons = listOf(
  repairObject({ src: text, mimeType: text, sizes: texts, theme: oneOf('light', 'dark') }, 'src'),
);
export const annotations = repairObject({
  audience: listOf(oneOf('user', 'assistant')),
  priority: fraction,
  lastModified: timestamp,
});

/** Corrects the named members of an object that is kept otherwise to the letter; returns it if none changes. */
export function repairMembers(
  whole: RawItem,
  members: Readonly<Record<string, RepairMember>>,
  item: RawItem = {},
): RawItem {
  const changes = Object.entries(members).flatMap(([name, repair]) => {
    if (!Object.hasOwn(whole, name)) return [];
    const repaired = repair(whole[name], item);
    return repaired === whole[name] && repaired !== undefined ? [] : [[name, repaired] as const];
  });
  return changes.length === 0 ? whole : withMembers(whole, Object.fromEntries(changes));
}

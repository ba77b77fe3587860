import type { z } from 'zod';
import { isRecord, parseJson } from '../../../../shared/json.ts';
import {
  entryOptionsSchema,
  type ServerEntry,
  serverEntrySchema,
  serverKeySchema,
} from '../../../../shared/schema/server-entry.ts';
import { splitCommand, splitLauncherCommand } from '../../../../shared/split-command.ts';
import { entryMember, namesFor, ownEntry } from '../entry/aliases.ts';
import { readKeyMembers } from '../entry/key-members.ts';
import { normalizeEntry } from '../entry/normalize-entry.ts';
import { ownToolLists } from '../entry/tool-lists.ts';
import { type JsonNode, type ParsedText, positionAt } from '../jsonc/parse.ts';
import {
  duplicatesIn,
  groupByKey,
  type Member,
  membersOf,
  nearestNode,
  type Path,
  plainValue,
} from '../jsonc/tree.ts';
import { type Issue, isError, keyStep } from './issue.ts';

/** The result of validating one entry: all its problems, and its value if there are no errors. */
export interface EntryValidation {
  readonly entry?: ServerEntry | undefined;
  readonly issues: readonly Issue[];
}

export interface ValidatedServer extends EntryValidation {
  readonly key: string;
  /** The property of `mcpServers`; the first one of a repeated key. */
  readonly member: Member;
}

/** A whole file: its servers in file order, or the reason why it has none. */
export type ValidatedFile =
  | { readonly ok: true; readonly servers: readonly ValidatedServer[] }
  | { readonly ok: false; readonly issue: Issue };

/**
 * Validates a file whose text is valid JSON. Entries are validated one by one: a bad one does not affect the
 * others.
 */
export function validateFile(parsed: ParsedText, root: JsonNode): ValidatedFile {
  const refuse = (path: Path, message: string, offset: number): ValidatedFile => ({
    ok: false,
    issue: { severity: 'error', code: 'invalid_schema', path, message, offset },
  });
  if (root.type !== 'object') return refuse([], 'the config must be an object', root.offset);
  const holders = membersOf(root).filter(({ key }) => key === 'mcpServers');
  const [holder, second] = holders;
  if (holder === undefined) return refuse(['mcpServers'], missingServers(root), root.offset);
  if (second !== undefined) {
    return refuse(['mcpServers'], 'mcpServers is written twice', second.keyNode.offset);
  }
  const { type, children = [] } = holder.value;
  if (type === 'null' || (type === 'array' && children.length === 0)) return { ok: true, servers: [] };
  if (type !== 'object') {
    return refuse(['mcpServers'], 'mcpServers must be an object', holder.value.offset);
  }
  const groups = groupByKey(membersOf(holder.value).filter((member) => !isRemarkMember(member)));
  return { ok: true, servers: [...groups].flatMap(([, members]) => validateServer(parsed, members)) };
}

/** Names the member that probably holds the servers: other programs use other names, and so do typing errors. */
function missingServers(root: JsonNode): string {
  const meant = membersOf(root).find(({ key }) => otherNames.has(key.toLowerCase()));
  return meant === undefined
    ? 'mcpServers is missing'
    : `mcpServers is missing; rename "${meant.key}" if it holds the servers`;
}

const otherNames: ReadonlySet<string> = new Set([
  'mcpservers',
  'mcp_servers',
  'mcp-servers',
  'mcp.servers',
  'servers',
  'context_servers',
  'amp.mcpservers',
]);

/** Recognizes a member that is not a server: null, or a remark under a name that programs use for remarks. */
function isRemarkMember({ key, value }: Member): boolean {
  return value.type === 'null' || (value.type !== 'object' && /^(?:\/\/|[_#$])/.test(key));
}

function validateServer(parsed: ParsedText, members: readonly Member[]): ValidatedServer[] {
  const [member] = members;
  if (member === undefined) return [];
  const validation = validateEntry(parsed, member.value, member.keyNode.offset);
  const issues = [
    ...validateKey(member.key, member.keyNode.offset),
    ...(members.length > 1 ? [duplicateIssue(parsed, [keyStep], members)] : []),
    ...validation.issues,
  ];
  const entry = issues.some(isError) ? undefined : validation.entry;
  return [{ key: member.key, member, issues, entry }];
}

export function validateKey(key: string, offset = 0): readonly Issue[] {
  const result = serverKeySchema.safeParse(key);
  if (result.success) return [];
  return result.error.issues.map(({ message }) => schemaIssue([keyStep], message, offset));
}

/** Validates one entry; `offset` is the position reported for missing members. */
export function validateEntry(parsed: ParsedText, node: JsonNode, offset = node.offset): EntryValidation {
  if (node.type !== 'object') return { issues: [schemaIssue([], 'a server must be an object', node.offset)] };
  const own = ownEntry(node);
  const { value, warnings } = coerceFields(parsed, own.node);
  const { value: normal, remarks } = normalizeEntry(value);
  const { value: meant, remarks: keyRemarks } = readKeyMembers(normal);
  const result = serverEntrySchema.safeParse(meant);
  const place = (path: Path) => {
    const found = nearestNode(own.node, path);
    return found === own.node ? offset : found.offset;
  };
  const issues = [
    ...duplicatesIn(node).map(({ path, members }) => duplicateIssue(parsed, path, members)),
    ...(result.success ? [] : result.error.issues.flatMap((issue) => zodIssues(issue, place))),
    ...nameIssues(node),
    ...own.moved.map(({ written, own: name, offset: at }): Issue => {
      const message =
        written.length === 1
          ? `Patchbay calls this "${name}"; rename it`
          : `this was read as "${name}" of the entry; move it there`;
      return { ...schemaIssue(written, message, at), severity: 'warning' };
    }),
    ...warnings,
    ...[...remarks, ...keyRemarks, ...toolRemarks(value)].map(
      ({ path, message }): Issue => ({
        ...schemaIssue(path, message, place(path)),
        severity: 'warning',
      }),
    ),
    ...commandWarnings(node),
    ...timeoutWarnings(node),
    ...optionWarnings(node),
  ];
  return result.success && !issues.some(isError) ? { entry: result.data, issues } : { issues };
}

function toolRemarks(entry: Readonly<Record<string, unknown>>): ReturnType<typeof normalizeEntry>['remarks'] {
  const { read, patterns } = ownToolLists(entry);
  return read.map((name) => ({
    path: [name],
    message:
      patterns.length === 0
        ? 'this was read as a list of tools; write it as patchbay.enabledTools or patchbay.disabledTools'
        : 'patterns of tools have no effect; list the names in patchbay.enabledTools or patchbay.disabledTools',
  }));
}

/** Fields whose members are text; users of other clients write numbers and booleans there. */
const textFields = ['args', 'env', 'headers'] as const;

/**
 * Returns the plain value of an entry as its author meant it, with a warning for each part in another form:
 * null, and the empty list of languages without an empty object, mean nothing; numbers and booleans in text
 * fields become texts; texts where numbers and booleans belong become those.
 */
export function coerceFields(
  parsed: ParsedText,
  node: JsonNode,
): { readonly value: Readonly<Record<string, unknown>>; readonly warnings: readonly Issue[] } {
  const warnings: Issue[] = [];
  const coerce = (child: JsonNode, path: Path): unknown => {
    if (child.type !== 'number' && child.type !== 'boolean') return plainValue(child);
    warn(path, child, `a ${child.type} was read as text; write it in quotes`);
    return parsed.body.slice(child.offset, child.offset + child.length);
  };
  const warn = (path: Path, { offset }: JsonNode, message: string) =>
    void warnings.push({ ...schemaIssue(path, message, offset), severity: 'warning' });
  const fields = membersOf(node).flatMap(({ key, value }): (readonly [string, unknown])[] => {
    if (value.type === 'null') return [];
    if (switchFields.has(key) || key === 'timeout') {
      const meant = key === 'timeout' ? numberIn(value) : booleanIn(value);
      if (meant !== undefined) warn([key], value, `this was read as ${meant}; write it without quotes`);
      return [[key, meant ?? plainValue(value)]];
    }
    if (key === 'patchbay') return value.type === 'array' ? [] : [[key, withoutNull(plainValue(value))]];
    if (!textFields.some((field) => field === key)) return [[key, plainValue(value)]];
    const children = value.children ?? [];
    if (value.type === 'array') {
      if (key !== 'args' && children.length === 0) return [];
      const given = children
        .map((child, index) => [child, index] as const)
        .filter(([child]) => child.type !== 'null');
      return [[key, given.map(([child, index]) => coerce(child, [key, index]))]];
    }
    if (value.type === 'string' && key === 'args')
      return [[key, wordsIn(value, (message) => warn([key], value, message))]];
    if (value.type !== 'object') return [[key, plainValue(value)]];
    if (key === 'args' && children.length === 0) return [];
    const texts = membersOf(value).filter((member) => member.value.type !== 'null');
    return [
      [key, Object.fromEntries(texts.map((member) => [member.key, coerce(member.value, [key, member.key])]))],
    ];
  });
  return { value: Object.fromEntries(fields), warnings };
}

function withoutNull(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (one === null ? [] : [[name, withoutNull(one)]])),
  );
}

/** Members with which other programs turn an entry off by false. */
export const otherSwitches = [
  'enabled',
  'enable',
  'isEnabled',
  'is_enabled',
  'isActive',
  'is_active',
  'active',
] as const;
const switchFields: ReadonlySet<string> = new Set(['disabled', ...otherSwitches]);

/** Returns true for a member that turns an entry on or off, in any spelling. */
export function isSwitch(name: string): boolean {
  return switchFields.has(name) || name.toLowerCase() === 'disabled' || namesFor('disabled').includes(name);
}

/** Returns a boolean written as a text or a number; undefined for a real boolean and anything else. */
export function booleanIn({ type, value }: JsonNode): boolean | undefined {
  if (type !== 'string' && type !== 'number') return undefined;
  const word = String(value).trim().toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return true;
  return ['false', '0', 'no', 'off'].includes(word) ? false : undefined;
}

/** Returns whether an entry is turned off, in any form: `disabled` decides, or else what other programs write. */
export function isDisabled(entry: JsonNode): boolean {
  const flag = (name: string) => {
    const value = entryMember(entry, name)?.value;
    return typeof value?.value === 'boolean' ? value.value : value && booleanIn(value);
  };
  return flag('disabled') ?? otherSwitches.some((name) => flag(name) === false);
}

function numberIn({ type, value }: JsonNode): number | undefined {
  return type === 'string' && /^\s*\d{1,15}(?:\.\d{1,6})?\s*$/.test(String(value))
    ? Number(value)
    : undefined;
}

function wordsIn({ value }: JsonNode, warn: (message: string) => void): readonly string[] {
  const listed = parseJson(String(value));
  const isList = Array.isArray(listed) && listed.every((word) => typeof word === 'string');
  const words = isList ? listed : splitCommand(String(value));
  if (words.length > 0) warn('one text was read as a list of words; write each argument as a separate text');
  return words;
}

function zodIssues(issue: z.core.$ZodIssue, place: (path: Path) => number): Issue[] {
  const path = issue.path.map((step) => (typeof step === 'number' ? step : String(step)));
  return [schemaIssue(path, issueMessage(issue), place(path))];
}

/** Zod's own messages are written for programmers. */
function issueMessage(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `must be ${typeNames[issue.expected] ?? issue.expected}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_small' && issue.origin === 'number') return 'must be greater than 0';
  return issue.message;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  record: 'an object',
  object: 'an object',
};

/** Names that no operating system accepts would fail the start with an obscure error. */
function nameIssues(node: JsonNode): Issue[] {
  const env = membersOf(node).find(({ key }) => key === 'env');
  return membersOf(env?.value)
    .filter(({ key }) => key === '' || key.includes('=') || key.includes('\0'))
    .map(({ key, keyNode }) =>
      schemaIssue(['env', key], 'this is not a valid variable name', keyNode.offset),
    );
}

/** No program has such a name: the start would fail with an obscure error. */
function commandWarnings(node: JsonNode): Issue[] {
  const command = membersOf(node).find(({ key }) => key === 'command')?.value;
  const words = command?.type === 'string' ? splitLauncherCommand(command.value) : undefined;
  if (command === undefined || words === undefined) return [];
  const message = `this holds arguments; write ${JSON.stringify(words[0])} here and the rest in args`;
  return [{ ...schemaIssue(['command'], message, command.offset), severity: 'warning' }];
}

function timeoutWarnings(node: JsonNode): Issue[] {
  const timeout = membersOf(node).find(({ key }) => key === 'timeout')?.value;
  if (timeout?.type !== 'number' || timeout.value <= 0 || timeout.value >= 1000) return [];
  const message = 'timeout counts milliseconds; this is less than a second';
  return [{ ...schemaIssue(['timeout'], message, timeout.offset), severity: 'warning' }];
}

/**
 * A mistyped option of our own would be ignored silently; other unknown members may belong to other programs.
 */
function optionWarnings(node: JsonNode): Issue[] {
  const options = membersOf(node).find(({ key }) => key === 'patchbay')?.value;
  return membersOf(options)
    .filter(({ key }) => !Object.hasOwn(entryOptionsSchema.shape, key))
    .map(({ key, keyNode }) => {
      const message = `there is no such option; the options are ${optionNames}`;
      return { ...schemaIssue(['patchbay', key], message, keyNode.offset), severity: 'warning' };
    });
}

const optionNames = Object.keys(entryOptionsSchema.shape).join(', ');

function duplicateIssue(parsed: ParsedText, path: Path, members: readonly Member[]): Issue {
  const lines = members.map(({ keyNode }) => positionAt(parsed.body, keyNode.offset).line);
  const message = `"${members[0]?.key}" is written ${members.length} times, on lines ${lines.join(' and ')}`;
  return {
    severity: 'error',
    code: 'duplicate_key',
    path,
    message,
    offset: members[1]?.keyNode.offset ?? 0,
  };
}

function schemaIssue(path: Path, message: string, offset: number): Issue {
  return { severity: 'error', code: 'invalid_schema', path, message, offset };
}

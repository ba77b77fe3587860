import { isRecord } from '../../../shared/json.ts';
import type { EntryIssue } from '../../../shared/model/import.ts';
import type { ImportInput } from '../../../shared/model/import-session.ts';
import { FormatFault } from '../clients/format/contract.ts';
import { formatOf } from '../clients/format/format-of.ts';
import { type JsonNode, type ParsedText, parseText } from '../config/parse.ts';
import { commandsAsJson } from '../config/paste-command.ts';
import { candidatesIn } from '../config/paste-shape.ts';
import { findJson } from '../config/paste-text.ts';
import { memberOf, plainValue } from '../config/tree.ts';
import { declaredInputs } from './declared-inputs.ts';
import type { FoundInput, FoundServer } from './found.ts';
import { InputCollector } from './inputs.ts';
import { readCandidates } from './read-candidates.ts';
import type { ReferenceContext } from './references.ts';
import { isRegistryEntry, readRegistry } from './registry.ts';

/** What was found in a text, or why nothing was. */
export interface TextReading {
  readonly servers: readonly FoundServer[];
  readonly inputs: readonly FoundInput[];
  readonly issues: readonly EntryIssue[];
}

export type TextContext = Omit<ReferenceContext, 'declared'>;

/** Reads the servers out of a text of any form: JSON amid prose too, TOML, YAML, a registry entry. Never throws. */
export async function readText(text: string, context: TextContext): Promise<TextReading> {
  const inputs = new InputCollector();
  const { found, fault } = findJson(text);
  const servers = found.flatMap(({ parsed, alone }) => readJson(parsed, alone, context, inputs));
  if (servers.length > 0) return { servers, inputs: inputs.all, issues: [] };
  const other = await readOtherForms(text, context, inputs);
  if (other.servers.length > 0) return { ...other, inputs: inputs.all };
  const straight = straightened(text);
  if (straight !== text) return readText(straight, context);
  const typed = commandsAsJson(text);
  if (typed !== undefined) return readText(typed, context);
  if (other.issues.length > 0) return { ...other, inputs: [] };
  const message = fault === undefined ? nothingFound : `Not valid JSON: ${fault.message}.`;
  const place = fault === undefined ? {} : { line: fault.line, column: fault.column };
  return { servers: [], inputs: [], issues: [{ severity: 'error', path: '', message, ...place }] };
}

const nothingFound = 'No MCP server was found in it.';

/** Servers in a piece of JSON; `root` is the member they stand under, where that is known. */
export function readJson(
  parsed: ParsedText,
  alone: boolean,
  context: TextContext,
  inputs: InputCollector,
  root?: string,
): readonly FoundServer[] {
  if (parsed.root === undefined) return [];
  if (root === undefined && isRegistryEntry(plainValue(parsed.root)))
    return readRegistry(plainValue(parsed.root), inputs);
  const holder = root === undefined ? parsed.root : only(parsed.root, root);
  const candidates = holder === undefined ? [] : candidatesIn(holder, alone);
  return readCandidates(candidates, parsed, { ...context, declared: inputsIn(parsed.root) }, inputs);
}

/** The root alone, so that nothing else of a file of settings is taken for servers. */
function only(node: JsonNode, root: string): JsonNode | undefined {
  const member = memberOf(node, root);
  return member === undefined ? undefined : { ...node, children: [member.node] };
}

function inputsIn(root: JsonNode): ReadonlyMap<string, ImportInput> {
  const holder = memberOf(root, 'inputs') ?? memberOf(memberOf(root, 'mcp')?.value, 'inputs');
  return declaredInputs(holder === undefined ? undefined : plainValue(holder.value));
}

/** TOML and YAML, whole or in the code fences of instructions. */
async function readOtherForms(
  text: string,
  context: TextContext,
  inputs: InputCollector,
): Promise<Pick<TextReading, 'servers' | 'issues'>> {
  const issues: EntryIssue[] = [];
  for (const piece of [text, ...fences(text)]) {
    for (const language of likely(piece)) {
      try {
        const value = (await formatOf(language)).parse(piece);
        const servers = readValue(value, context, inputs);
        if (servers.length > 0) return { servers, issues: [] };
      } catch (error) {
        if (!(error instanceof FormatFault)) throw error;
        issues.push({
          severity: 'error',
          path: '',
          message: `Not valid ${language.toUpperCase()}: ${error.message}.`,
          ...(error.line === undefined ? {} : { line: error.line }),
        });
      }
    }
  }
  return { servers: [], issues: issues.slice(0, 1) };
}

/** Values of a parser, under any of the roots that servers stand under. */
export function readValue(
  value: unknown,
  context: TextContext,
  inputs: InputCollector,
  root?: string,
): readonly FoundServer[] {
  if (!isRecord(value)) return [];
  const name = root ?? roots.find((one) => value[one] !== undefined);
  const held = name === undefined ? undefined : value[name];
  if (held === undefined || held === null) return [];
  const parsed = parseText(JSON.stringify({ mcpServers: held }, numbers));
  return readJson(parsed, true, context, inputs);
}

const roots = ['mcp_servers', 'mcpServers', 'extensions', 'context_servers', 'servers'];

/** Large integers of TOML. */
function numbers(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

function likely(text: string): readonly ('toml' | 'yaml')[] {
  if (/^[ \t]*\[+\s*["']?mcp_servers["']?\s*[.\]]/m.test(text)) return ['toml'];
  return new RegExp(`^(?:${roots.join('|')})[ \\t]*:`, 'm').test(text) ? ['yaml'] : [];
}

function fences(text: string): readonly string[] {
  return [...text.matchAll(/^[ \t]*(```+|~~~+)[^\r\n]*\r?\n([\s\S]*?)^[ \t]*\1/gm)].map(
    ([, , content = '']) => content,
  );
}

/** Web pages and chat programs turn quotes and blanks into typographic ones. */
function straightened(text: string): string {
  return text.replace(/[\u201C\u201D\u201E\u201F]/g, '"').replace(/[\u00A0\u202F]/g, ' ');
}

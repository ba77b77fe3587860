import { isRecord } from '../../../../shared/json.ts';
import type { EntryIssue } from '../../../../shared/model/import/import.ts';
import type { ImportInput } from '../../../../shared/model/import/import-session.ts';
import { FormatError } from '../../clients/format/contract.ts';
import { formatOf } from '../../clients/format/format-of.ts';
import { type JsonNode, type ParsedText, parseText } from '../../config/jsonc/parse.ts';
import { memberOf, membersOf, plainValue } from '../../config/jsonc/tree.ts';
import type { FoundServer } from '../found.ts';
import type { InputCollector } from '../reference/input-collector.ts';
import type { ReferenceContext } from '../reference/references.ts';
import { isManifest, readManifestText } from '../source/bundle.ts';
import { declaredInputs } from '../source/declared-inputs.ts';
import { readCandidates } from '../source/read-candidates.ts';
import { readRegistry, registryEntries } from '../source/registry.ts';
import { straightened } from './clean.ts';
import { candidatesIn, withSiblingMembers } from './entry/candidates.ts';
import { catalogueServers } from './language/catalogues.ts';
import { findJson } from './language/find-json.ts';
import { jsonOf, otherLanguage, yamlHolderLine } from './language/languages.ts';
import { isCertainly, likelyLanguages, parsedToml, parsedYaml } from './language/lenient-parse.ts';
import { quarkusServers, springProperties, springServers } from './language/spring.ts';
import type { Piece } from './pieces.ts';
import { describesApi } from './prose/no-server-reason.ts';

export interface TextContext extends Omit<ReferenceContext, 'declared'> {
  readonly home: string;
  /** The client that the file belongs to, by its id in the table of clients. */
  readonly client?: string;
}

/** Maximum number of servers per text: nobody pastes more, and validation takes time. */
export const maxServers = 2000;

interface ConfigReading {
  readonly servers: readonly FoundServer[];
  readonly form?: string;
  readonly fault?: EntryIssue | undefined;
}

/** Reads JSON, TOML or YAML in a piece of a text; if it is broken, tries again with straight quotes. */
export async function readConfig(
  piece: Piece,
  context: TextContext,
  inputs: InputCollector,
): Promise<ConfigReading> {
  const written = await readWritten(piece, context, inputs);
  const text = straightened(piece.text);
  if (written.servers.length > 0 || written.fault === undefined || text === piece.text) return written;
  const reading = await readWritten({ ...piece, text }, context, inputs);
  return reading.servers.length > 0 ? reading : written;
}

/** Reads JSON, TOML or YAML in a piece of a text as it is written. */
async function readWritten(
  piece: Piece,
  context: TextContext,
  inputs: InputCollector,
): Promise<ConfigReading> {
  const spring = springProperties(piece.text);
  if (spring !== undefined) return { servers: readValue(spring, context, inputs), form: 'properties' };
  const special = otherLanguage(piece.text);
  if (special !== undefined) {
    const servers = readJson(parseText(JSON.stringify(special.value)), true, context, inputs);
    if (servers.length > 0) return { servers, form: special.form };
  }
  // An inline table of TOML or YAML looks like an object inside other text.
  const isYaml = yamlHolderLine.test(piece.text);
  if (isYaml || isCertainly('toml', piece.text)) {
    const other = await readOtherForms(piece, isYaml, context, inputs);
    if (other.servers.length > 0) return other;
  }
  const { found, fault } = findJson(piece.text);
  const readAll = (pieces: typeof found) =>
    pieces.flatMap(({ parsed, alone }) => readJson(parsed, alone, context, inputs));
  const whole = readAll(found);
  const servers = whole.length === 0 && found[0]?.alone ? readAll(findJson(piece.text, true).found) : whole;
  if (servers.length > 0) return { servers };
  // Broken JSON may parse as YAML by accident, so it must contain some YAML syntax.
  const mayBeYaml = fault === undefined || /:[ \t]*$/m.test(piece.text);
  const other = await readOtherForms(piece, mayBeYaml, context, inputs);
  if (other.servers.length > 0 || other.fault !== undefined || fault === undefined) return other;
  const { message, line, column } = fault;
  return {
    servers: [],
    fault: {
      severity: 'error',
      path: '',
      message: `Not valid JSON: ${message}.`,
      line: line + piece.line - 1,
      column,
    },
  };
}

/** Reads servers in a piece of JSON; `root` is the member that holds them, if known. */
export function readJson(
  parsed: ParsedText,
  alone: boolean,
  context: TextContext,
  inputs: InputCollector,
  root?: string,
): readonly FoundServer[] {
  if (parsed.root === undefined) return [];
  const declared = inputsIn(parsed.root);
  if (root === undefined) {
    const value = plainValue(parsed.root);
    const registered = registryEntries(value);
    if (registered.length > 0) return registered.flatMap((entry) => readRegistry(entry, inputs));
    if (isRecord(value) && describesApi(value)) return [];
    const described = springServers(value) ?? quarkusServers(value) ?? catalogueServers(value);
    if (described !== undefined) return readValue(described, context, inputs);
    if (isManifest(value)) return readManifestText(value, { ...context, declared }, inputs);
  }
  const holder = root === undefined ? parsed.root : rootOnly(parsed.root, root);
  const found = holder === undefined ? [] : candidatesIn(holder, alone);
  const candidates = root === undefined ? found : found.map(withSiblingMembers(parsed.root));
  return readCandidates(candidates.slice(0, maxServers + 1), parsed, { ...context, declared }, inputs);
}

/**
 * Returns the root member alone, so that other settings in the file are not taken for servers. If it is
 * written twice, all are returned: programs differ in which one they use.
 */
function rootOnly(node: JsonNode, root: string): JsonNode | undefined {
  const members = membersOf(node).filter(({ key }) => key === root);
  return members.length === 0 ? undefined : { ...node, children: members.map((member) => member.node) };
}

function inputsIn(root: JsonNode): ReadonlyMap<string, ImportInput> {
  const holder = memberOf(root, 'inputs') ?? memberOf(memberOf(root, 'mcp')?.value, 'inputs');
  return declaredInputs(holder === undefined ? undefined : plainValue(holder.value));
}

async function readOtherForms(
  { text, line: first }: Piece,
  mayBeYaml: boolean,
  context: TextContext,
  inputs: InputCollector,
): Promise<ConfigReading> {
  let fault: EntryIssue | undefined;
  for (const language of likelyLanguages(text, mayBeYaml)) {
    try {
      const format = await formatOf(language);
      const value = language === 'yaml' ? parsedYaml(format, text) : parsedToml(format, text);
      const servers = readValue(value, context, inputs);
      if (servers.length > 0) return { servers, form: language.toUpperCase() };
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      if (fault === undefined && isCertainly(language, text)) {
        fault = {
          severity: 'error',
          path: '',
          message: `Not valid ${language.toUpperCase()}: ${error.message}.`,
          line: error.line === undefined ? undefined : error.line + first - 1,
        };
      }
    }
  }
  return { servers: [], fault };
}

/** Reads a parser's values, under any of the members that hold servers. */
export function readValue(
  value: unknown,
  context: TextContext,
  inputs: InputCollector,
  root?: string,
): readonly FoundServer[] {
  if (typeof value !== 'object' || value === null) return [];
  const text = jsonOf(value);
  if (text === undefined) throw new FormatError('it contains a circular reference');
  return readJson(parseText(text), false, context, inputs, root);
}

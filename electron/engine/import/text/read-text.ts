import { isRecord } from '../../../../shared/json.ts';
import type { EntryIssue } from '../../../../shared/model/import.ts';
import type { ImportInput } from '../../../../shared/model/import-session.ts';
import { FormatFault } from '../../clients/format/contract.ts';
import { formatOf } from '../../clients/format/format-of.ts';
import { type JsonNode, type ParsedText, parseText } from '../../config/parse.ts';
import { memberOf, plainValue } from '../../config/tree.ts';
import { isManifest, readManifestText } from '../bundle.ts';
import { declaredInputs } from '../declared-inputs.ts';
import type { FoundInput, FoundServer } from '../found.ts';
import { InputCollector } from '../inputs.ts';
import { mergeFound } from '../merge-found.ts';
import { readCandidates } from '../read-candidates.ts';
import type { ReferenceContext } from '../references.ts';
import { readRegistry, registryEntries } from '../registry.ts';
import { addedLines, cleanText, otherReadings, straightened } from './clean.ts';
import { findJson } from './find-json.ts';
import { blockYaml, jsonOf, otherLanguage, yamlDocuments } from './languages.ts';
import { isSurely, likely, parsedToml, parsedYaml } from './lenient-parse.ts';
import { decoded, linksIn } from './links.ts';
import { describesApi, otherThanServers } from './not-servers.ts';
import { type Piece, piecesOf } from './pieces.ts';
import { prepared } from './prepare.ts';
import { candidatesIn, withBeside } from './shapes.ts';
import { springProperties, springServers } from './spring.ts';
import { addedServers, typedServers } from './typed.ts';

/** Servers found in a text, or the reasons why there are none. */
export interface TextReading {
  readonly servers: readonly FoundServer[];
  readonly inputs: readonly FoundInput[];
  readonly issues: readonly EntryIssue[];
  /** Forms that the servers were read in, for people. */
  readonly forms?: readonly string[];
}

export interface TextContext extends Omit<ReferenceContext, 'declared'> {
  readonly home: string;
  /** The client whose file it is, by its id in the table of clients. */
  readonly client?: string;
}

/** More servers than this are no text that a person pastes, and take long to judge. */
const mostServers = 2000;

/**
 * Reads the servers out of a text of any form: configs of every program as JSON, TOML or YAML, amid prose too, registry
 * entries, install links, commands of clients, command lines, package names, addresses. Never throws.
 */
export async function readText(text: string, context: TextContext): Promise<TextReading> {
  if (isBinary(text))
    return { servers: [], inputs: [], issues: [{ severity: 'error', path: '', message: noText }] };
  const clean = prepared(text);
  const first = await readOnce(clean, context);
  if (first.servers.length > 0) return bounded(first);
  for (const other of [...otherReadings(clean), addedLines(cleanText(text))]) {
    const reading = await readOnce(other, context);
    if (reading.servers.length > 0) return bounded(reading);
  }
  const value = clean.length < longestCoded ? decoded(clean) : undefined;
  const reading = value === undefined ? first : await readOnce(JSON.stringify(value), context);
  return reading.servers.length > 0 ? bounded(reading) : first;
}

/** Programs, pictures and archives are full of control characters that no text has. */
function isBinary(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are looked for.
  const controls = text.match(/[\u0001-\u0007\u000E-\u001A\u001C-\u001F]/g) ?? [];
  return controls.length > 4 + text.length / 100;
}

const noText = 'This is no text, so no MCP server was looked for in it.';

/** A config in Base64 or with escaped characters is as long as a link may be. */
const longestCoded = 100_000;

function bounded(reading: TextReading): TextReading {
  const { servers, issues } = reading;
  if (servers.length <= mostServers) return reading;
  const message = `It holds ${servers.length} servers; the first ${mostServers} are shown. Import the rest in a second step.`;
  return {
    ...reading,
    servers: servers.slice(0, mostServers),
    issues: [{ severity: 'warning', path: '', message }, ...issues],
  };
}

async function readOnce(text: string, context: TextContext): Promise<TextReading> {
  const inputs = new InputCollector();
  const pieces = piecesOf(text);
  const faults: EntryIssue[] = [];
  const groups: (readonly FoundServer[])[] = [];
  const forms = new Set<string>();
  const keep = (servers: readonly FoundServer[], form: string) => {
    if (servers.length === 0) return;
    groups.push(servers);
    forms.add(form);
  };
  const stream = yamlDocuments(text);
  const codes: readonly Piece[] =
    stream.length > 1 ? stream : pieces.fenced.length > 0 ? pieces.fenced : [{ text, line: 1 }];
  for (const piece of codes) {
    const { servers, form = 'JSON', fault } = await readConfig(piece, context, inputs);
    keep(servers, form);
    if (servers.length === 0 && fault !== undefined) faults.push(fault);
  }
  if (pieces.fenced.length > 0 && groups.length === 0) {
    const { servers, form = 'JSON' } = await readConfig({ text: pieces.prose, line: 1 }, context, inputs);
    keep(servers, form);
  }
  const read = (value: unknown) => readJson(parseText(JSON.stringify(value)), true, context, inputs);
  for (const { configs = [] } of linksIn(text)) {
    for (const { name, config } of configs) keep(read(named(name, config)), 'an install link');
  }
  const shown = straightened(pieces.body);
  const codeTexts = straightenedCode(pieces);
  for (const { name, entry } of addedServers(shown, codeTexts))
    keep(read(named(name, entry)), 'a client’s command');
  if (groups.length > 0)
    return { servers: mergeFound(groups), inputs: inputs.all, issues: [], forms: [...forms] };
  const typed = typedServers(shown, codeTexts);
  const other = otherThanServers(shown, typed.servers);
  if (other !== undefined)
    return { servers: [], inputs: [], issues: [{ severity: 'error', path: '', message: other }] };
  const servers = mergeFound(
    typed.servers.map(({ name, entry, notes }) =>
      read(named(name, entry)).map((server) => ({ ...server, issues: [...notes, ...server.issues] })),
    ),
  );
  for (const { entry } of servers) forms.add(typedForm(entry, text));
  if (servers.length > 0) return { servers, inputs: inputs.all, issues: [], forms: [...forms] };
  const [fault = { severity: 'error' as const, path: '', message: nothingFound }] = [
    ...typed.issues,
    ...faults,
  ];
  return { servers: [], inputs: [], issues: [fault] };
}

function typedForm({ url }: FoundServer['entry'], text: string): string {
  if (typeof url === 'string') return 'an address';
  return /\s/.test(text.trim()) ? 'a command line' : 'a package name';
}

function straightenedCode({
  fenced,
  inline,
}: {
  readonly fenced: readonly Piece[];
  readonly inline: readonly string[];
}) {
  return [...fenced.map((piece) => piece.text), ...inline].map(straightened);
}

const nothingFound =
  'No MCP server was found in this text; it should hold a config such as {"mcpServers": {…}}, a command such as npx -y …, an install link, or the address of a server.';

/** A name that came beside a config of one server. */
function named(name: string, config: unknown): unknown {
  if (name === '' || !isRecord(config)) return config;
  const { root } = parseText(JSON.stringify(config));
  const holds = root === undefined ? [] : candidatesIn(root, false);
  const isOne = holds.length === 1 && holds[0]?.node === root;
  // One server in a map of its own is called by what the link calls it.
  if (holds.length !== 1 || (!isOne && holds[0]?.key !== '')) return config;
  const { inputs, name: _, ...entry } = config;
  return { ...(inputs === undefined ? {} : { inputs }), mcpServers: { [name]: isOne ? entry : config } };
}

interface ConfigReading {
  readonly servers: readonly FoundServer[];
  readonly form?: string;
  readonly fault?: EntryIssue;
}

/** JSON, TOML or YAML in a piece of a text. */
async function readConfig(
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
  // A table of TOML or YAML in one line looks like an object amid other text.
  const isYaml = blockYaml.test(piece.text);
  if (isYaml || isSurely('toml', piece.text)) {
    const other = await readOtherForms(piece, isYaml, context, inputs);
    if (other.servers.length > 0) return other;
  }
  const { found, fault } = findJson(piece.text);
  const readAll = (pieces: typeof found) =>
    pieces.flatMap(({ parsed, alone }) => readJson(parsed, alone, context, inputs));
  const whole = readAll(found);
  const servers = whole.length === 0 && found[0]?.alone ? readAll(findJson(piece.text, true).found) : whole;
  if (servers.length > 0) return { servers };
  // Broken JSON may pass for YAML by accident, so it has to show some syntax of YAML's own.
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

/** Servers in a piece of JSON; `root` is the member they stand under, where that is known. */
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
    const spring = springServers(value);
    if (spring !== undefined) return readValue(spring, context, inputs);
    if (isManifest(value)) return readManifestText(value, { ...context, declared }, inputs);
  }
  const holder = root === undefined ? parsed.root : only(parsed.root, root);
  const found = holder === undefined ? [] : candidatesIn(holder, alone);
  const candidates = root === undefined ? found : found.map(withBeside(parsed.root));
  return readCandidates(candidates.slice(0, mostServers + 1), parsed, { ...context, declared }, inputs);
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

async function readOtherForms(
  { text, line: first }: Piece,
  mayBeYaml: boolean,
  context: TextContext,
  inputs: InputCollector,
): Promise<ConfigReading> {
  let fault: EntryIssue | undefined;
  for (const language of likely(text, mayBeYaml)) {
    try {
      const format = await formatOf(language);
      const value = language === 'yaml' ? parsedYaml(format, text) : parsedToml(format, text);
      const servers = readValue(value, context, inputs);
      if (servers.length > 0) return { servers, form: language.toUpperCase() };
    } catch (error) {
      if (!(error instanceof FormatFault)) throw error;
      if (fault === undefined && isSurely(language, text)) {
        fault = {
          severity: 'error',
          path: '',
          message: `Not valid ${language.toUpperCase()}: ${error.message}.`,
          ...(error.line === undefined ? {} : { line: error.line + first - 1 }),
        };
      }
    }
  }
  return { servers: [], ...(fault === undefined ? {} : { fault }) };
}

/** Values of a parser, under any of the members that servers stand under. */
export function readValue(
  value: unknown,
  context: TextContext,
  inputs: InputCollector,
  root?: string,
): readonly FoundServer[] {
  if (typeof value !== 'object' || value === null) return [];
  const text = jsonOf(value);
  if (text === undefined) throw new FormatFault('a part of it refers to itself');
  return readJson(parseText(text), false, context, inputs, root);
}

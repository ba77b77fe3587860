import { isRecord } from '../../../../shared/json.ts';
import type { EntryIssue } from '../../../../shared/model/import/import.ts';
import { parseText } from '../../config/jsonc/parse.ts';
import type { FoundInput, FoundServer } from '../found.ts';
import { InputCollector } from '../reference/input-collector.ts';
import { mergeFound } from '../source/merge-found.ts';
import {
  addedLines,
  cleanText,
  decodeEntities,
  otherReadings,
  straightened,
  withoutDiff,
  withoutTags,
} from './clean.ts';
import { candidatesIn } from './entry/candidates.ts';
import { csharpToJavaScript } from './language/csharp.ts';
import { yamlDocuments } from './language/languages.ts';
import { type Piece, type Pieces, piecesOf } from './pieces.ts';
import { decoded, linksIn } from './prose/links.ts';
import { noServerReason, withoutPages } from './prose/no-server-reason.ts';
import { addedServers, typedServers } from './prose/typed-servers.ts';
import { unwrapLinks } from './prose/wrapped-links.ts';
import { maxServers, readConfig, readJson, type TextContext } from './read-config.ts';
import { withPlainVariables } from './shell/nushell.ts';

/** Restores a text that was copied from a terminal, a diff, a web page or a mail program. */
function prepareText(text: string): string {
  const whole = decodedPage(withPlainVariables(withoutDiff(cleanText(text))));
  // Tags in a config are values.
  return csharpToJavaScript(unwrapLinks(whole.includes('{') ? whole : withoutTags(whole)));
}

/** Decodes HTML that is shown as text, possibly several times. */
function decodedPage(text: string): string {
  let page = text;
  for (let layer = 0; layer < maxLayers && hasEscapedTag(page); layer += 1) page = decodeEntities(page);
  return page;
}

const maxLayers = 3;

/** Tags within braces are values. */
function hasEscapedTag(text: string): boolean {
  const tag = /&(?:amp;){0,3}lt;(?:pre|code|p|div|span|li|ul|ol|td|table|h\d)\b/i.exec(text);
  return tag !== null && !text.slice(0, tag.index).includes('{');
}

/** Servers found in a text, or the reasons why there are none. */
export interface TextReading {
  readonly servers: readonly FoundServer[];
  readonly inputs: readonly FoundInput[];
  readonly issues: readonly EntryIssue[];
  /** Forms in which the servers were written, for people. */
  readonly forms?: readonly string[];
}

/**
 * Reads the servers in a text of any form: configs of every program as JSON, TOML or YAML, also inside prose,
 * registry entries, install links, client commands, command lines, package names, addresses. Never throws.
 */
export async function readText(text: string, context: TextContext): Promise<TextReading> {
  if (isBinary(text))
    return { servers: [], inputs: [], issues: [{ severity: 'error', path: '', message: binaryText }] };
  const clean = prepareText(text);
  const first = await readOnce(clean, context);
  if (first.servers.length > 0) return limitServers(first);
  for (const other of [...otherReadings(clean), addedLines(cleanText(text))]) {
    const reading = await readOnce(other, context);
    if (reading.servers.length > 0) return limitServers(reading);
  }
  const value = clean.length < maxEncodedLength ? decoded(clean) : undefined;
  const reading = value === undefined ? first : await readOnce(JSON.stringify(value), context);
  return reading.servers.length > 0 ? limitServers(reading) : first;
}

/** Programs, pictures and archives are full of control characters. */
function isBinary(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are looked for.
  const controls = text.match(/[\u0001-\u0007\u000E-\u001A\u001C-\u001F]/g) ?? [];
  return controls.length > 4 + text.length / 100;
}

const binaryText = 'This is not a text file, so it cannot contain an MCP server.';

/** Maximum length of a config in Base64 or with escapes, as in a link. */
const maxEncodedLength = 100_000;

function limitServers(reading: TextReading): TextReading {
  const { servers, issues } = reading;
  if (servers.length <= maxServers) return reading;
  const message = `The text contains ${servers.length} servers; the first ${maxServers} are shown. Import the rest separately.`;
  return {
    ...reading,
    servers: servers.slice(0, maxServers),
    issues: [{ severity: 'warning', path: '', message }, ...issues],
  };
}

async function readOnce(text: string, context: TextContext): Promise<TextReading> {
  const inputs = new InputCollector();
  const pieces = piecesOf(text);
  const faults: EntryIssue[] = [];
  const groups: (readonly FoundServer[])[] = [];
  const forms = new Set<string>();
  const addGroup = (servers: readonly FoundServer[], form: string) => {
    if (servers.length === 0) return;
    groups.push(servers);
    forms.add(form);
  };
  const stream = yamlDocuments(text);
  const codes: readonly Piece[] =
    stream.length > 1
      ? stream
      : pieces.fenced.length > 0
        ? pieces.fenced
        : [...configSpans(pieces), { text, line: 1 }];
  for (const piece of codes) {
    const { servers, form = 'JSON', fault } = await readConfig(piece, context, inputs);
    addGroup(servers, form);
    if (servers.length === 0 && fault !== undefined) faults.push(fault);
  }
  if (pieces.fenced.length > 0 && groups.length === 0) {
    const { servers, form = 'JSON' } = await readConfig({ text: pieces.prose, line: 1 }, context, inputs);
    addGroup(servers, form);
  }
  const read = (value: unknown) => readJson(parseText(JSON.stringify(value)), true, context, inputs);
  for (const { configs = [] } of linksIn(text)) {
    for (const { name, config } of configs) addGroup(read(withName(name, config)), 'an install link');
  }
  const shown = straightened(pieces.body);
  const codeTexts = straightenedCode(pieces);
  for (const { name, entry } of addedServers(shown, codeTexts))
    addGroup(read(withName(name, entry)), 'a client’s command');
  if (groups.length > 0)
    return { servers: mergeFound(groups), inputs: inputs.all, issues: [], forms: [...forms] };
  const typed = typedServers(withoutPages(shown), codeTexts);
  const other = noServerReason(shown, typed.servers);
  if (other !== undefined)
    return { servers: [], inputs: [], issues: [{ severity: 'error', path: '', message: other }] };
  const servers = mergeFound(
    typed.servers.map(({ name, entry, notes }) =>
      read(withName(name, entry)).map((server) => ({ ...server, issues: [...notes, ...server.issues] })),
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

/** Returns configs between backticks; a table may have one for each program. */
function configSpans({ inline }: Pieces): readonly Piece[] {
  const spans = inline.filter((code) => /^\s{0,20}\{.*\}\s{0,20}$/.test(code)).slice(0, maxSpans);
  return spans.length > 1 ? spans.map((text) => ({ text, line: 1 })) : [];
}

const maxSpans = 50;

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
  'No MCP server was found in this text; paste a config such as {"mcpServers": {…}}, a command such as npx -y …, an install link, or the address of a server.';

/** Adds the name from beside the config of a single server. */
function withName(name: string, config: unknown): unknown {
  if (name === '' || !isRecord(config)) return config;
  const { root } = parseText(JSON.stringify(config));
  const holds = root === undefined ? [] : candidatesIn(root, false);
  const isOne = holds.length === 1 && holds[0]?.node === root;
  // A single unnamed server gets the name of the link.
  if (holds.length !== 1 || (!isOne && holds[0]?.key !== '')) return config;
  const { inputs, name: _, ...entry } = config;
  return { ...(inputs === undefined ? {} : { inputs }), mcpServers: { [name]: isOne ? entry : config } };
}

import { isRecord, scalarText } from '../../../../shared/json.ts';
import type { EntryIssue } from '../../../../shared/model/import/import.ts';
import type { ParsedText } from '../../config/jsonc/parse.ts';
import { plainValue } from '../../config/jsonc/tree.ts';
import { coerceFields } from '../../config/validate/validate.ts';
import type { Entry, FoundServer } from '../found.ts';
import { type InputCollector, passwordInput } from '../reference/input-collector.ts';
import { type ReferenceContext, readReferences } from '../reference/references.ts';
import type { Candidate } from '../text/entry/candidates.ts';
import { type Dialect, dialectOf, typeSpellings } from '../text/entry/dialects.ts';
import { translateEntry } from '../text/entry/translate.ts';
import { addressKind, isPageHost } from '../text/prose/addresses.ts';
import { installerWarning, splitPathWarning } from '../text/shell/shell-wrapper.ts';

interface CandidateContext extends ReferenceContext {
  readonly client?: string;
  /** The program that the neighbouring servers belong to. */
  readonly kin?: Dialect;
}

/** Reads the servers of a piece of JSON, each on its own, in our form, and collects the inputs to ask for. */
export function readCandidates(
  written: readonly Candidate[],
  source: ParsedText,
  context: CandidateContext,
  inputs: InputCollector,
): readonly FoundServer[] {
  const candidates = written.filter((candidate) => !isPageEntry(candidate));
  // Neighbouring servers belong to one program, though not all of them show its signs.
  const kin = candidates
    .map(({ node, holder }) => {
      const value = plainValue(node);
      return isRecord(value) ? dialectOf(value, holder, context.client) : undefined;
    })
    .find((dialect) => dialect !== undefined);
  return candidates.map((candidate) =>
    readCandidate(candidate, source, { ...context, ...(kin === undefined ? {} : { kin }) }, inputs),
  );
}

function readCandidate(
  { key, node, holder, siblingMembers = {} }: Candidate,
  source: ParsedText,
  context: CandidateContext,
  inputs: InputCollector,
): FoundServer {
  if (node.type === 'string') return readLine(key, String(node.value), context, inputs);
  if (node.type !== 'object') {
    const issue: EntryIssue = { severity: 'error', path: '', message: 'a server must be an object' };
    return { key, entry: {}, issues: [issue] };
  }
  const { value, warnings } = coerceFields(source, node);
  // A timeout as a text is handled separately.
  const typeIssues = warnings
    .filter(({ path }) => path[0] !== 'timeout')
    .map(({ severity, path, message }) => ({ severity, path: path.join('.'), message }));
  const own = withPlainTools(withoutName(value, key), key);
  return finishServer(key, { ...own, ...siblingMembers }, typeIssues, { holder, ...context }, inputs);
}

/** MCPHub prefixes tool names with their server's name: `kite-fly`. */
function withPlainTools(value: Entry, key: string): Entry {
  const tools = isRecord(value.tools) ? Object.entries(value.tools) : [];
  const isPrefixed = tools.every(([name, one]) => name.startsWith(`${key}-`) && isRecord(one));
  if (tools.length === 0 || key === '' || !isPrefixed) return value;
  return {
    ...value,
    tools: Object.fromEntries(tools.map(([name, one]) => [name.slice(key.length + 1), one])),
  };
}

/** Many other things have an address; without a sign of a server, a known web page is none. */
function isPageEntry({ node, holder }: Candidate): boolean {
  const value = holder === '' ? plainValue(node) : undefined;
  return isRecord(value) && hasOnlyAddress(value) && isPageHost(scalarText(value.url));
}

function hasOnlyAddress({ url, ...others }: Entry): boolean {
  const { type } = others;
  const isTyped =
    typeof type === 'string' && Object.hasOwn(typeSpellings, type.toLowerCase().replace(/[-_ ]/g, ''));
  const own = ['command', 'cmd', 'args', 'env', 'headers', 'transport', 'patchbay'];
  return typeof url === 'string' && !isTyped && own.every((name) => others[name] === undefined);
}

/** A list may consist of addresses and names alone, and a map of command lines. */
function readLine(key: string, text: string, context: CandidateContext, inputs: InputCollector): FoundServer {
  const entry = /^https?:\/\/\S+$/i.test(text)
    ? { url: text }
    : /\s/.test(text.trim())
      ? { command: text }
      : undefined;
  if (entry !== undefined) return finishServer(key, entry, [], { holder: '', ...context }, inputs);
  const name = key === '' ? text.trim() : key;
  const message =
    key === '' && name !== ''
      ? 'this is only the name of a server that is set up elsewhere'
      : 'a server must be an object';
  return { key: name, entry: {}, issues: [{ severity: 'error', path: '', message }] };
}

function finishServer(
  key: string,
  value: Entry,
  typeIssues: readonly EntryIssue[],
  context: CandidateContext & { readonly holder: string },
  inputs: InputCollector,
): FoundServer {
  const { entry, notes } = translateEntry(value, context);
  const asked = withAskedKeys(readReferences(entry, key, context, inputs), inputs);
  return {
    key,
    entry: asked,
    issues: [
      ...typeIssues,
      ...notes,
      ...installerWarning(asked),
      ...splitPathWarning(asked),
      ...examplePathWarnings(asked),
      ...(context.holder === '' ? pageWarning(value) : []),
    ],
  };
}

function pageWarning(written: Entry): readonly EntryIssue[] {
  const url = scalarText(written.url);
  if (!hasOnlyAddress(written) || !URL.canParse(url) || addressKind(url).kind !== 'page') return [];
  const message = 'this looks like the address of a web page rather than of an MCP server';
  return [{ severity: 'warning', path: 'url', message }];
}

/** Instructions contain example paths. */
function examplePathWarnings({ command, args, cwd, env }: Entry): readonly EntryIssue[] {
  const texts = [
    ['command', command],
    ['cwd', cwd],
    ...(isRecord(env) ? Object.entries(env).map(([name, value]) => [`env.${name}`, value] as const) : []),
    ...(Array.isArray(args) ? args.flat().map((arg, index) => [`args.${index}`, arg] as const) : []),
  ] as const;
  return texts
    .filter(([, text]) => typeof text === 'string' && text.length < 2000 && examplePath.test(text))
    .map(([path, text]) => ({
      severity: 'warning',
      path,
      message: `${String(text)} is an example; write the path on this machine`,
    }));
}

const examplePath =
  /(?:[/\\](?:path|absolute|full)[/\\](?:to|path)(?:[/\\]|$)|(?:Users|home)[/\\](?:username|user_?name|your-?_?\w*|you)[/\\])/i;

/** `env_keys` names variables whose values goose stores in the keychain. */
function withAskedKeys(entry: Entry, inputs: InputCollector): Entry {
  const { env_keys: keys, ...rest } = entry;
  const names = Array.isArray(keys) ? keys.filter((name) => typeof name === 'string') : [];
  if (names.length === 0) return Array.isArray(keys) ? rest : entry;
  const asked = names.map((name) => {
    const token = `\${input:goose.${name}}`;
    inputs.add(passwordInput(`goose:${name}`, name, 'goose stores it in the keychain, where it stays.'), {
      text: token,
    });
    return [name, token] as const;
  });
  return { ...rest, env: { ...Object.fromEntries(asked), ...(isRecord(rest.env) ? rest.env : {}) } };
}

/** A name that became the key is no longer needed, nor are the inputs beside it. */
function withoutName(value: Entry, key: string): Entry {
  const { name, inputs: _inputs, gallery: _gallery, displayName, ...rest } = value;
  return {
    ...(name === key || name === undefined ? {} : { name }),
    ...(displayName === key || displayName === undefined ? {} : { displayName }),
    ...rest,
  };
}

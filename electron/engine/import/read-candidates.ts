import { isRecord } from '../../../shared/json.ts';
import type { EntryIssue } from '../../../shared/model/import.ts';
import type { JsonNode, ParsedText } from '../config/parse.ts';
import { translateEntry } from '../config/paste-entry.ts';
import type { Candidate } from '../config/paste-shape.ts';
import { coerceTexts } from '../config/validate.ts';
import type { Entry, FoundServer } from './found.ts';
import { type InputCollector, passwordInput } from './inputs.ts';
import { type ReferenceContext, readReferences } from './references.ts';

/** A piece of JSON as servers: each read on its own, in our form, with what is to be asked for gathered. */
export function readCandidates(
  candidates: readonly Candidate[],
  source: ParsedText,
  context: ReferenceContext,
  inputs: InputCollector,
): readonly FoundServer[] {
  return candidates.map(({ key, node }) => readCandidate(key, node, source, context, inputs));
}

function readCandidate(
  key: string,
  node: JsonNode,
  source: ParsedText,
  context: ReferenceContext,
  inputs: InputCollector,
): FoundServer {
  if (node.type !== 'object') {
    const issue: EntryIssue = { severity: 'error', path: '', message: 'a server must be an object' };
    return { key, entry: {}, issues: [issue] };
  }
  const { value, warnings } = coerceTexts(source, node);
  const { entry, notes } = translateEntry(withoutName(value, key));
  const asked = askForKeys(readReferences(entry, context, inputs), inputs);
  const said = warnings.map(({ severity, path, message }) => ({ severity, path: path.join('.'), message }));
  return { key, entry: asked, issues: [...said, ...notes] };
}

/** `env_keys` names variables whose values goose keeps in the keychain. */
function askForKeys(entry: Entry, inputs: InputCollector): Entry {
  const { env_keys: keys, ...rest } = entry;
  const names = Array.isArray(keys) ? keys.filter((name) => typeof name === 'string') : [];
  if (names.length === 0) return entry;
  const asked = names.map((name) => {
    const token = `\${input:goose.${name}}`;
    inputs.add(passwordInput(`goose:${name}`, name, 'goose keeps it in the keychain, where it stays.'), {
      text: token,
    });
    return [name, token] as const;
  });
  return { ...rest, env: { ...Object.fromEntries(asked), ...(isRecord(rest.env) ? rest.env : {}) } };
}

/** A name that became the key has done its work. */
function withoutName(value: Entry, key: string): Entry {
  if (value.name !== key) return value;
  const { name: _, ...rest } = value;
  return rest;
}

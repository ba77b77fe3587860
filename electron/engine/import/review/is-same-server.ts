import type { ConfiguredServer } from '../../config/contract.ts';
import { displayOf } from '../../config/entry/display.ts';
import { parseText } from '../../config/jsonc/parse.ts';
import type { Entry, FoundInput } from '../found.ts';
import { answerInputs, escapeRegExp, flatEntry } from '../reference/answer-inputs.ts';
import { replaceSecrets } from './replace-secrets.ts';
import type { ReviewContext, ReviewedSecret } from './reviewed.ts';

/** The parts of a found server that are compared with servers of the config. */
export interface ComparedServer {
  readonly entry: Entry;
  /** The entry with a sample answer for every input. */
  readonly tried: Entry;
  readonly secrets: readonly ReviewedSecret[];
  readonly inputs: readonly FoundInput[];
}

type IsSameServer = (server: ConfiguredServer, isNamesake: boolean) => boolean;

/**
 * Compares by what is finally run; if that is not known yet, by the command line or address, with any open
 * values.
 */
export async function createIsSame(
  compared: ComparedServer,
  { config, secret }: Pick<ReviewContext, 'config' | 'secret'>,
): Promise<IsSameServer> {
  const configured = await config.configure('x', JSON.stringify(compared.tried)).catch(() => undefined);
  if (configured === undefined) return () => false;
  if (compared.inputs.length === 0 && configured.target.ok)
    return ({ fingerprint }) => fingerprint === configured.fingerprint;
  return (server, isNamesake) =>
    server.display !== '' &&
    displaysOf(withReferences(compared, server, secret), compared.inputs).some((display) =>
      matches(display, server.display, isNamesake),
    );
}

/** Replaces the entry's secrets with the references of a server that uses the same ones. */
function withReferences(
  { entry, secrets }: ComparedServer,
  { secretReferences = [] }: ConfiguredServer,
  secret: ReviewContext['secret'],
): Entry {
  return replaceSecrets(
    entry,
    secrets.flatMap(({ location, value }) => {
      const known = secretReferences.find(({ name }) => secret(name) === value);
      return known === undefined ? [] : [{ place: location, by: `\${secret:${known.name}}` }];
    }),
  );
}

/** Returns how the entry is displayed with all its inputs, and without the optional ones. */
function displaysOf(entry: Entry, inputs: readonly FoundInput[]): readonly string[] {
  const needed = inputs.filter(({ view }) => view.required || (view.default ?? '') !== '');
  return [inputs, needed].map((answered) => {
    const answers = new Map(
      answered.map(({ view }) => [view.id, { kind: 'later' as const, reference: openValue }]),
    );
    const { root } = parseText(JSON.stringify(flatEntry(answerInputs(entry, inputs, answers))));
    return root === undefined ? '' : displayOf(root);
  });
}

/** A reference, so that it is not masked in the place of a secret. */
const openValue = `\${input:}`;

/**
 * A server with another name may use another account, so there only a value entered later matches an open
 * value.
 */
function matches(display: string, other: string, isNamesake: boolean): boolean {
  const openPattern = isNamesake ? '.+' : '\\$\\{(?:secret|input):[^{}]+\\}';
  const pattern = display.split(openValue).map(escapeRegExp).join(openPattern);
  return new RegExp(`^${pattern}$`, 's').test(other);
}

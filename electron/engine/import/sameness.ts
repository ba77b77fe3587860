import type { ConfiguredServer } from '../config/contract.ts';
import { displayOf } from '../config/display.ts';
import { parseText } from '../config/parse.ts';
import { answerInputs, escaped, flatEntry } from './answer-inputs.ts';
import type { Entry, FoundInput } from './found.ts';
import type { JudgedSecret, Surroundings } from './judge.ts';
import { replaceSecrets } from './replace-secrets.ts';

/** The parts of a found server that are compared with servers of the config. */
export interface Compared {
  readonly entry: Entry;
  /** The entry with a sample answer for every input. */
  readonly tried: Entry;
  readonly secrets: readonly JudgedSecret[];
  readonly inputs: readonly FoundInput[];
}

type Sameness = (server: ConfiguredServer, isNamesake: boolean) => boolean;

/**
 * Compares by what is finally run; if that is not known yet, by the command line or address, with any open
 * values.
 */
export async function sameness(
  compared: Compared,
  { config, secret }: Pick<Surroundings, 'config' | 'secret'>,
): Promise<Sameness> {
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
  { entry, secrets }: Compared,
  { secretReferences = [] }: ConfiguredServer,
  secret: Surroundings['secret'],
): Entry {
  return replaceSecrets(
    entry,
    secrets.flatMap(({ place, value }) => {
      const known = secretReferences.find(({ name }) => secret(name) === value);
      return known === undefined ? [] : [{ place, by: `\${secret:${known.name}}` }];
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
  const open = isNamesake ? '.+' : '\\$\\{(?:secret|input):[^{}]+\\}';
  const pattern = display.split(openValue).map(escaped).join(open);
  return new RegExp(`^${pattern}$`, 's').test(other);
}

import type { ConfiguredServer } from '../config/contract.ts';
import { displayOf } from '../config/display.ts';
import { parseText } from '../config/parse.ts';
import { answerInputs, escaped, flatEntry } from './answer-inputs.ts';
import type { Entry, FoundInput } from './found.ts';
import type { JudgedSecret, Surroundings } from './judge.ts';
import { replaceSecrets } from './replace-secrets.ts';

/** A found server, as far as it is compared with those of the config. */
export interface Compared {
  readonly entry: Entry;
  /** The entry with something for every input. */
  readonly tried: Entry;
  readonly secrets: readonly JudgedSecret[];
  readonly inputs: readonly FoundInput[];
}

type Sameness = (server: ConfiguredServer, isNamesake: boolean) => boolean;

/** By what is run in the end; where that is not known yet, by the command line or address, whatever its open values are. */
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

/** The entry with its secrets in the words of a server that has the same ones. */
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

/** How it looks with all its inputs, and without those that may be left empty. */
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

/** A reference, so that it is shown also where a secret stands. */
const openValue = `\${input:}`;

/** A server of another name may be another account, so that only what is itself entered later stands for an open value there. */
function matches(display: string, other: string, isNamesake: boolean): boolean {
  const open = isNamesake ? '.+' : '\\$\\{(?:secret|input):[^{}]+\\}';
  const pattern = display.split(openValue).map(escaped).join(open);
  return new RegExp(`^${pattern}$`, 's').test(other);
}

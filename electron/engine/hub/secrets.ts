import { isDeepStrictEqual } from 'node:util';
import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import { type SecretsView, type SecretUse, secretNameSchema } from '../../../shared/model/secret.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { ConfigStore } from '../config/contract.ts';
import type { SecretStore } from './secret-store.ts';
import type { SecretsEngine } from './secrets-contract.ts';
import { secretsView } from './secrets-view.ts';

/** What of a running hub the vault needs. */
export interface SecretsHub {
  readonly config: ConfigStore;
  readonly secrets: SecretStore;
}

export interface SecretsEngineOptions {
  /** Throws ProblemError while no hub runs. */
  readonly open: () => SecretsHub;
  readonly running: () => SecretsHub | undefined;
  readonly onOpen: Event<SecretsHub>;
}

/** The vault, for the engine. */
export function createSecretsEngine({ open, running, onOpen }: SecretsEngineOptions): SecretsEngine {
  const changes = new Emitter<SecretsView>();
  onOpen((hub) => tellChanges(hub, changes));
  const list = () => viewOf(running());
  return {
    secrets: {
      list,
      onChange: changes.event,
      async set(name, value, replace) {
        const { config, secrets } = open();
        requireGoodName(name);
        if (!replace && isStored(secrets, name)) throw new ProblemError(taken(name));
        await secrets.set(name, value);
        // So that whoever waits for this finds the servers on their way.
        await config.reload();
      },
      async delete(name, force) {
        const { config, secrets } = open();
        if (!isStored(secrets, name)) throw new ProblemError(unknownSecret(name));
        const users = list().secrets.find((one) => one.name === name)?.usedBy ?? [];
        if (!force && users.length > 0) throw new ProblemError(inUse(name, users));
        await secrets.delete(name);
        await config.reload();
      },
    },
  };
}

function viewOf(hub: SecretsHub | undefined): SecretsView {
  return hub === undefined
    ? { secrets: [], missing: [] }
    : secretsView(hub.secrets.known, hub.config.state.servers);
}

/** The view depends on the vault and on the config; it is told when it is another one. */
function tellChanges(hub: SecretsHub, changes: Emitter<SecretsView>): void {
  let told = viewOf(hub);
  changes.fire(told);
  const tell = () => {
    const next = viewOf(hub);
    if (isDeepStrictEqual(next, told)) return;
    told = next;
    changes.fire(next);
  };
  hub.secrets.onChange(tell);
  hub.config.onChange(tell);
}

function isStored(secrets: SecretStore, name: string): boolean {
  return secrets.known.some((known) => known.name === name);
}

/** Throws ProblemError for what cannot be told apart in a text. */
export function requireGoodName(name: string): void {
  const judged = secretNameSchema.safeParse(name);
  if (judged.success) return;
  const sentence = `${JSON.stringify(name)} cannot be a secret’s name.`;
  const fix = 'Use up to 64 letters, digits and "_", "-", ".", beginning with a letter or "_".';
  throw new ProblemError(problem('secret.invalid_name', sentence, fix));
}

function taken(name: string): Problem {
  const sentence = `There is a secret called ${name} already.`;
  return problem('secret.exists', sentence, 'Choose another name, or replace its value.', { secret: name });
}

export function unknownSecret(name: string): Problem {
  const sentence = `There is no secret called ${name}.`;
  return problem('secret.unknown', sentence, 'It may have been deleted; look at the list again.', {
    secret: name,
  });
}

export function inUse(name: string, users: readonly SecretUse[]): Problem {
  const servers = users.map(({ key }) => key).join(', ');
  const fix = 'Remove it from their configs first, or delete it anyway; those servers will not start.';
  return problem('secret.in_use', `${name} is used by ${servers}.`, fix, { secret: name, servers });
}

import { isDeepStrictEqual } from 'node:util';
import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import { type SecretsView, type SecretUse, secretNameSchema } from '../../../shared/model/secret.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { ConfigStore } from '../config/contract.ts';
import type { SecretStore } from './secret-store.ts';
import type { SecretsEngine } from './secrets-contract.ts';
import { secretsView } from './secrets-view.ts';

/** The parts of a running hub that the vault needs. */
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

/** Creates the vault part of the engine. */
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
        // Servers must already be restarting when this resolves.
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

/** Fires when the view changes, which depends on the vault and the config. */
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

/** Throws ProblemError for names that a reference in a text could not express. */
export function requireGoodName(name: string): void {
  const judged = secretNameSchema.safeParse(name);
  if (judged.success) return;
  const sentence = `${JSON.stringify(name)} is not a valid name for a secret.`;
  const fix = 'Use up to 64 letters, digits and "_", "-", ".", beginning with a letter or "_".';
  throw new ProblemError(problem('secret.invalid_name', sentence, fix));
}

function taken(name: string): Problem {
  const sentence = `A secret called ${name} already exists.`;
  return problem('secret.exists', sentence, 'Choose another name, or replace its value.', { secret: name });
}

export function unknownSecret(name: string): Problem {
  const sentence = `There is no secret called ${name}.`;
  return problem('secret.unknown', sentence, 'It may have been deleted; check the list.', {
    secret: name,
  });
}

export function inUse(name: string, users: readonly SecretUse[]): Problem {
  const servers = users.map(({ key }) => key).join(', ');
  const fix = 'Remove it from their configs first, or delete it anyway; those servers will not start.';
  return problem('secret.in_use', `${name} is used by ${servers}.`, fix, { secret: name, servers });
}

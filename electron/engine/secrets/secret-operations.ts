import { isDeepStrictEqual } from 'node:util';
import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import { type SecretsView, type SecretUse, secretNameSchema } from '../../../shared/model/hub/secret.ts';
import { Emitter, type Event } from '../base/emitter.ts';
import type { OperationHandlers } from '../base/operation-handlers.ts';
import type { ConfigStore } from '../config/contract.ts';
import type { SecretStore } from './secret-store.ts';
import { secretsView } from './secrets-view.ts';

/** The parts of a running hub that the vault needs. */
export interface SecretsHub {
  readonly config: ConfigStore;
  readonly secrets: SecretStore;
}

export function secretOperations(hub: SecretsHub) {
  const { config, secrets } = hub;
  return {
    'secret.list': () => viewOf(hub),
    'secret.set': async ({ name, value, replace }) => {
      requireValidName(name);
      if (!replace && isStored(secrets, name)) throw new ProblemError(taken(name));
      await secrets.set(name, value);
      // Answers once the servers have begun to restart.
      await config.reload();
    },
    'secret.delete': async ({ name, force }) => {
      if (!isStored(secrets, name)) throw new ProblemError(unknownSecret(name));
      const users = viewOf(hub).secrets.find((one) => one.name === name)?.usedBy ?? [];
      if (!force && users.length > 0) throw new ProblemError(inUse(name, users));
      await secrets.delete(name);
      await config.reload();
    },
  } satisfies Partial<OperationHandlers>;
}

function viewOf({ secrets, config }: SecretsHub): SecretsView {
  return secretsView(secrets.known, config.state.servers);
}

/** Fires with the new view when the vault or the config has changed it. */
export function secretChanges(hub: SecretsHub): Event<SecretsView> {
  const changes = new Emitter<SecretsView>();
  let last = viewOf(hub);
  const look = () => {
    const next = viewOf(hub);
    if (isDeepStrictEqual(next, last)) return;
    last = next;
    changes.fire(next);
  };
  hub.secrets.onChange(look);
  hub.config.onChange(look);
  return changes.event;
}

function isStored(secrets: SecretStore, name: string): boolean {
  return secrets.known.some((known) => known.name === name);
}

/** Throws ProblemError for names that a reference in a text could not express. */
export function requireValidName(name: string): void {
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

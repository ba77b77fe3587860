import { randomUUID } from 'node:crypto';
import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { isRecord } from '../../../shared/json.ts';
import type { SignInClient, ValuePlace } from '../../../shared/model/server/missing-value.ts';
import type { OperationHandlers } from '../base/operation-handlers.ts';
import { unknownServer } from '../catalogue/unknown-names.ts';
import type { ConfiguredLookup } from '../config/configured-lookup.ts';
import { nameForSecret, secretAt, withSecretAt } from '../config/entry/enter-reference.ts';
import { secretNameOf } from '../config/entry/plain-secrets.ts';
import { requireValidName, type SecretsHub } from './secret-operations.ts';
import { secretsView } from './secrets-view.ts';

type Entry = Readonly<Record<string, unknown>>;

/** A change of an entry together with its secret, undone as a whole. */
interface EntryChange {
  readonly key: string;
  readonly texts: { readonly before: string; readonly after: string };
  readonly secret?: { readonly name: string; readonly before: string | undefined };
}

/** The parts of a running hub that entering values needs. */
export interface ValuesHub extends SecretsHub {
  readonly configured: ConfiguredLookup;
  /** Restarts a server at a person's request. */
  readonly restart: (key: string) => Promise<void>;
}

export function valueOperations(hub: ValuesHub) {
  const entered = new Map<string, EntryChange>();
  const remember = (change: EntryChange) => {
    const undoId = randomUUID();
    entered.set(undoId, change);
    return undoId;
  };
  return {
    'server.enterValue': async ({ key, place, value }) => {
      const { name, change } = await enterValue(hub, key, place, value);
      return { undoId: remember(change), secret: name };
    },
    'server.setSignInClient': async ({ key, client }) => ({
      undoId: remember(await setClient(hub, key, client)),
    }),
    /** Restores entry and secret, as far as the entry was not changed there meanwhile. */
    'server.undoEntered': async ({ undoId }) => {
      const change = entered.get(undoId);
      if (change === undefined) throw new ProblemError(undoUnavailable());
      const { key, texts, secret } = change;
      if (texts.before !== texts.after)
        await hub.config.saveText({ key, base: texts.after, text: texts.before });
      if (secret !== undefined) await putBack(hub, secret);
      await hub.config.reload();
      entered.delete(undoId);
    },
  } satisfies Partial<OperationHandlers>;
}

/** Stores a value in the vault, refers to it where the entry lacks it, and starts the server with it. */
async function enterValue(
  hub: ValuesHub,
  key: string,
  place: ValuePlace,
  value: string,
): Promise<{ readonly name: string; readonly change: EntryChange }> {
  const { entry } = await hub.config.entry(key);
  const preferredName = nameForSecret(entry, key, place);
  if (preferredName === undefined) throw new ProblemError(valueNotMissing(key));
  const name = secretNameFor(hub, key, secretAt(entry, place) ?? preferredName, place, value);
  requireValidName(name);
  const change = await changeWithSecret(hub, key, { name, value }, (found) =>
    withSecretAt(found, key, place, name),
  );
  return { name, change };
}

/** Writes the client of a sign-in into the entry; its secret goes into the vault. */
async function setClient(hub: ValuesHub, key: string, client: SignInClient): Promise<EntryChange> {
  const { clientId, clientSecret, redirectUri } = client;
  const preferredName = secretNameOf(`${key} client secret`);
  const secret =
    clientSecret === undefined
      ? undefined
      : { name: unusedSecretName(hub, key, preferredName, clientSecret), value: clientSecret };
  return changeWithSecret(hub, key, secret, (entry) => {
    const options = isRecord(entry.patchbay) ? entry.patchbay : {};
    const { clientSecret: _, ...known } = isRecord(options.oauth) ? options.oauth : {};
    const oauth = {
      ...known,
      clientId,
      ...(secret === undefined ? {} : { clientSecret: `\${secret:${secret.name}}` }),
      ...(redirectUri === undefined ? {} : { redirectUri }),
    };
    return { ...entry, patchbay: { ...options, oauth } };
  });
}

/** Stores the secret first: an entry must never refer to a secret that does not exist. */
async function changeWithSecret(
  hub: ValuesHub,
  key: string,
  secret: { readonly name: string; readonly value: string } | undefined,
  change: (entry: Entry) => Entry,
): Promise<EntryChange> {
  const { config, secrets } = hub;
  const configured = hub.configured(key);
  if (configured === undefined) throw new ProblemError(unknownServer(key));
  const stored = secret && { name: secret.name, before: secrets.get(secret.name) };
  if (secret !== undefined) await secrets.set(secret.name, secret.value);
  try {
    const texts = await config.changeEntry(key, change);
    await config.reload();
    // Entering a value again, even the same one, means trying again.
    if (hub.configured(key)?.fingerprint === configured.fingerprint && configured.enabled)
      await hub.restart(key);
    return { key, texts, ...(stored === undefined ? {} : { secret: stored }) };
  } catch (error) {
    if (stored !== undefined) await putBack(hub, stored);
    throw error;
  }
}

function putBack(
  { secrets }: ValuesHub,
  { name, before }: NonNullable<EntryChange['secret']>,
): Promise<void> {
  return before === undefined ? secrets.delete(name) : secrets.set(name, before);
}

/**
 * Keeps the name if the entry refers to the secret by name; a secret that other servers use as well is not
 * overwritten.
 */
function secretNameFor(hub: ValuesHub, key: string, name: string, place: ValuePlace, value: string): string {
  return place.kind === 'secret' ? name : unusedSecretName(hub, key, name, value);
}

function unusedSecretName(
  { secrets, config }: ValuesHub,
  key: string,
  preferredName: string,
  value: string,
): string {
  const { secrets: known } = secretsView(secrets.known, config.state.servers);
  const isFree = (name: string) => {
    const found = known.find((one) => one.name === name);
    if (found === undefined || secrets.get(name) === value) return true;
    return found.usedBy.length > 0 && found.usedBy.every((use) => use.key === key);
  };
  let name = preferredName;
  for (let number = 2; !isFree(name); number += 1) name = `${preferredName}_${number}`;
  return name;
}

function valueNotMissing(key: string) {
  const sentence = `That value of ${key} is no longer missing: its config has changed.`;
  return problem('config.changed_meanwhile', sentence, 'Check the server’s page again.', { server: key });
}

function undoUnavailable() {
  return problem('config.unknown_server', 'This change can no longer be undone.', 'Edit the config instead.');
}

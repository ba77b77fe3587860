import type { Problem } from '../../../../shared/error/problem.ts';
import type { ImportEntry, ImportPreview, MovePreview } from '../../../../shared/model/import-session.ts';
import type { Model } from '../../../store/model.ts';

type Link = Model['link'];

/** Servers that a client starts itself, by what can be done with them. */
export interface MoveOffer {
  readonly session: string;
  /** New servers, which are added here. */
  readonly newServers: readonly ImportEntry[];
  /** Servers that Patchbay already has. */
  readonly knownServers: readonly ImportEntry[];
  /** Servers that stay, because a value is missing or wrong. */
  readonly skippedServers: readonly ImportEntry[];
  readonly isChosen: boolean;
}

/** Returns the offer, or undefined if no server can be moved. */
export function moveOfferOf(preview: ImportPreview, isChosen: boolean): MoveOffer | undefined {
  const { session, entries, inputs } = preview;
  const requiredInputs = new Set(
    inputs.filter((input) => input.required && input.default === undefined).map(({ id }) => id),
  );
  const isReady = (entry: ImportEntry) => !entry.inputs.some((input) => requiredInputs.has(input));
  const fresh = entries.filter((entry) => entry.suggested && isReady(entry));
  const known = entries.filter(
    ({ duplicate }) => duplicate !== undefined && (duplicate.kind === 'target' || duplicate.same),
  );
  if (fresh.length + known.length === 0) return undefined;
  const left = entries.filter((entry) => !fresh.includes(entry) && !known.includes(entry));
  return { session, newServers: fresh, knownServers: known, skippedServers: left, isChosen };
}

/** Previews the files that would be written if the servers moved too; undefined if none would. */
export async function previewMove(
  link: Link,
  client: string,
  { session, newServers: fresh }: MoveOffer,
): Promise<MovePreview | undefined> {
  const request = { session, entries: fresh.map(({ id }) => id), clients: [client] };
  const answer = await link.call('import.previewMove', request);
  return answer.ok ? answer.value.apps[0] : undefined;
}

/** Adds the new servers and stores their secrets in the vault. */
export async function addNewServers(
  link: Link,
  { session, newServers: fresh }: MoveOffer,
): Promise<{ readonly undoId?: string; readonly problem?: Problem }> {
  if (fresh.length === 0) return {};
  const answer = await link.call('import.add', {
    session,
    inputs: [],
    entries: fresh.map(({ id, key, secrets }) => ({
      id,
      key,
      secrets: secrets.map((secret) => ({ id: secret.id, secretName: secret.secretName })),
    })),
  });
  if (!answer.ok) return { problem: answer.problem };
  const { undoId, failed } = answer.value;
  return {
    ...(undoId === undefined ? {} : { undoId }),
    ...(failed[0] === undefined ? {} : { problem: failed[0].problem }),
  };
}

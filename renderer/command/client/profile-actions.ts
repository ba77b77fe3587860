import type { ClientView } from '../../../shared/model/client/client.ts';
import type { ServerSelection } from '../../../shared/model/client/profile.ts';
import { freeKey } from '../../lib/entry/free-key.ts';
import { clientTitle } from '../../lib/server/client-title.ts';
import type { Model } from '../../store/model.ts';
import { openDialog } from '../../store/view-store.ts';
import { copyText } from '../app/app-actions.ts';
import { navigate } from '../navigate.ts';
import { offerUndo } from '../undo-actions.ts';

/** Opens the Profiles page, at one profile if given. */
export function openProfiles(model: Model, profile?: string): void {
  const { profile: _other, ...place } = model.view.getState().place;
  const at = profile === undefined ? {} : { profile };
  navigate(model, { ...place, ...at, view: 'clients', clientsPage: 'profiles' });
}

export function openClients(model: Model): void {
  navigate(model, { ...model.view.getState().place, view: 'clients', clientsPage: 'clients' });
}

/**
 * Creates an empty profile or a copy under a free name, and opens it. Resolves to its name if it was created.
 */
export async function createProfile(model: Model, copyOf?: string): Promise<string | undefined> {
  const taken = new Set(model.mirrors.profiles.getState().profiles.map(({ name }) => name));
  const name = freeKey(copyOf === undefined ? 'New profile' : `${copyOf} copy`, taken);
  const copy = copyOf === undefined ? {} : { copyOf };
  const answer = await model.link.call('profile.create', { name, ...copy });
  if (answer.ok) openProfiles(model, name);
  else model.notify.problem(answer.problem);
  return answer.ok ? name : undefined;
}

export async function renameProfile(model: Model, name: string, newName: string): Promise<void> {
  const wanted = newName.trim();
  if (wanted === '' || wanted === name) return;
  const answer = await model.link.call('profile.rename', { name, newName: wanted });
  if (answer.ok) openProfiles(model, wanted);
  else model.notify.problem(answer.problem);
}

/** Deletes a profile, with undo; if clients have it, lists them first. */
export async function deleteProfile(model: Model, name: string, force = false): Promise<void> {
  const answer = await model.link.call('profile.delete', { name, force });
  if (answer.ok) {
    const { undoId } = answer.value;
    offerUndo(model, undoId, `The profile ${name} was deleted.`, () => void undo(model, undoId, name));
  } else if (answer.problem.code === 'profile.in_use') {
    openDialog(model.view, { kind: 'delete-profile', name });
  } else model.notify.problem(answer.problem);
}

async function undo(model: Model, undoId: string, name: string): Promise<void> {
  const answer = await model.link.call('profile.undo', { undoId });
  if (answer.ok) model.notify.done(`${name} is back.`);
  else model.notify.problem(answer.problem);
}

/** Selections of a profile by server key. */
type Selections = Readonly<Record<string, ServerSelection | 'none'>>;

/** Changes a profile's selections in one step; undo restores exactly the previous ones. */
export async function selectInProfile(
  model: Model,
  name: string,
  servers: Selections,
  done: string,
): Promise<void> {
  const { profiles } = model.mirrors.profiles.getState();
  const held = profiles.find((profile) => profile.name === name)?.servers ?? {};
  const before = Object.fromEntries(Object.keys(servers).map((key) => [key, held[key] ?? ('none' as const)]));
  if (!(await select(model, name, servers))) return;
  offerUndo(model, `profile-${name}-${model.now()}`, done, () => void select(model, name, before));
}

async function select(model: Model, name: string, servers: Selections): Promise<boolean> {
  const answer = await model.link.call('profile.select', { name, servers: { ...servers } });
  if (!answer.ok) model.notify.problem(answer.problem);
  return answer.ok;
}

export async function setProfileTools(
  model: Model,
  name: string,
  serverKey: string,
  names: readonly string[],
  on: boolean,
): Promise<void> {
  const answer = await model.link.call('profile.setTools', { name, serverKey, names: [...names], on });
  if (!answer.ok) model.notify.problem(answer.problem);
}

/** Assigns a profile to a client; without one it gets everything. */
export async function assignProfile(
  model: Model,
  client: Pick<ClientView, 'name' | 'title'>,
  profile: string | undefined,
): Promise<void> {
  const given = profile === undefined ? {} : { profile };
  const answer = await model.link.call('profile.assign', { client: client.name, ...given });
  if (!answer.ok) return model.notify.problem(answer.problem);
  model.notify.done(`${clientTitle(client)} now gets ${profile ?? 'everything'}.`);
}

/** Returns the URL that gives a client this profile. */
export function profileUrl(endpoint: string, name: string): string {
  return `${endpoint}/profiles/${encodeURIComponent(name)}`;
}

export async function copyProfileUrl(model: Model, name: string): Promise<void> {
  const endpoint = model.mirrors.hub.getState()?.endpoint;
  if (endpoint === undefined) return;
  if (await copyText(model, profileUrl(endpoint, name))) model.notify.done('URL copied.');
}

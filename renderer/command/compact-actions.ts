import type { IpcInput } from '../../shared/ipc/contract.ts';
import { type CompactSettings, plainCompact } from '../../shared/model/compact.ts';
import type { Model } from '../store/model.ts';

type Wish = IpcInput<'profile.setCompact'>;

/** Changes the short list of a client or of a profile. */
export async function setCompact(model: Model, wish: Wish): Promise<void> {
  const answer = await model.link.call('profile.setCompact', wish);
  if (!answer.ok) model.notify.problem(answer.problem);
}

/** Switches it for one client; what its profile says already is not said again. */
export function switchClientCompact(
  model: Model,
  client: { readonly name: string; readonly profile?: string | undefined },
  on: boolean,
): Promise<void> {
  const { profiles } = model.mirrors.profiles.getState();
  const isInherited = profiles.find(({ name }) => name === client.profile)?.compact !== undefined;
  const compact = on === isInherited ? 'inherit' : on ? plainCompact : 'off';
  return setCompact(model, { of: 'client', name: client.name, compact });
}

export function saveCompact(
  model: Model,
  owner: Pick<Wish, 'of' | 'name'>,
  { direct, pinned }: CompactSettings,
): Promise<void> {
  return setCompact(model, { ...owner, compact: { direct, pinned: [...pinned] } });
}

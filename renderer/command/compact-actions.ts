import type { IpcInput } from '../../shared/ipc/contract.ts';
import { type CompactSettings, defaultCompactSettings } from '../../shared/model/compact.ts';
import type { Model } from '../store/model.ts';
import { offerUndo } from './undo-actions.ts';

type CompactInput = IpcInput<'profile.setCompact'>;

/** Changes the compact mode of a client or profile, with undo if that removes its settings. */
export async function setCompact(model: Model, wish: CompactInput): Promise<void> {
  const before = settingsOf(model, wish);
  const answer = await model.link.call('profile.setCompact', wish);
  if (!answer.ok) return model.notify.problem(answer.problem);
  if (before === undefined || typeof wish.compact !== 'string' || isDefault(before)) return;
  const undoId = `compact:${wish.of}:${wish.name}`;
  offerUndo(model, undoId, 'Compact mode is off. Its settings were removed.', () => {
    void saveCompact(model, wish, before);
  });
}

/** Returns the client's or profile's own setting. */
function settingsOf(
  model: Model,
  { of, name }: Pick<CompactInput, 'of' | 'name'>,
): CompactSettings | undefined {
  const { profiles, compact } = model.mirrors.profiles.getState();
  if (of === 'profile') return profiles.find((profile) => profile.name === name)?.compact;
  const own = compact?.[name];
  return own === 'off' ? undefined : own;
}

const isDefault = ({ direct, pinned }: CompactSettings): boolean =>
  direct === defaultCompactSettings.direct && pinned.length === 0;

/** Switches compact mode for one client; inherits the profile's setting if that is the same. */
export function switchClientCompact(
  model: Model,
  client: { readonly name: string; readonly profile?: string | undefined },
  on: boolean,
): Promise<void> {
  const { profiles } = model.mirrors.profiles.getState();
  const isInherited = profiles.find(({ name }) => name === client.profile)?.compact !== undefined;
  const compact = on === isInherited ? 'inherit' : on ? defaultCompactSettings : 'off';
  return setCompact(model, { of: 'client', name: client.name, compact });
}

export function saveCompact(
  model: Model,
  { of, name }: Pick<CompactInput, 'of' | 'name'>,
  { direct, pinned }: CompactSettings,
): Promise<void> {
  return setCompact(model, { of, name, compact: { direct, pinned: [...pinned] } });
}

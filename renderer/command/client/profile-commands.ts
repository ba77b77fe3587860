import { Layers, ListChecks } from 'lucide-react';
import { clientTitle } from '../../lib/server/client-title.ts';
import type { Model } from '../../store/model.ts';
import type { Command } from '../command.ts';
import { assignProfile, createProfile, openProfiles } from './profile-actions.ts';

export const profileCommands: readonly Command[] = [
  {
    id: 'profiles.open',
    title: 'Profiles',
    group: 'Go to',
    icon: Layers,
    keywords: 'selection servers tools client',
    run: (model) => openProfiles(model),
  },
  {
    id: 'profiles.new',
    title: 'New profile',
    group: 'Connect a client',
    icon: Layers,
    keywords: 'create selection',
    run: (model) => void createProfile(model),
  },
];

/** Commands to assign a profile to each connected client. */
export function switchCommands(model: Model): readonly Command[] {
  const { profiles } = model.mirrors.profiles.getState();
  if (profiles.length === 0) return [];
  const clients = model.mirrors.clients
    .getState()
    .filter(({ name, profile }) => name !== '' && !profile?.isAsked);
  const byName = new Map(clients.map((client) => [client.name, client]));
  return [...byName.values()].flatMap((client) =>
    [undefined, ...profiles.map(({ name }) => name)]
      .filter((name) => name !== client.profile?.name)
      .map(
        (name): Command => ({
          id: `profile.${client.name}:${name ?? ''}`,
          title: `${clientTitle(client)}: ${name === undefined ? 'give it everything' : `use profile ${name}`}`,
          group: 'Connect a client',
          icon: ListChecks,
          keywords: 'switch profile assign',
          run: (one) => void assignProfile(one, client, name),
        }),
      ),
  );
}

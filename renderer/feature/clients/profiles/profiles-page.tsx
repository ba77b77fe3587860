import { Button } from '@mantine/core';
import { Layers, Plus } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand/react';
import type { ProfilesView } from '../../../../shared/model/client/profile.ts';
import { createProfile, openProfiles } from '../../../command/client/profile-actions.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { useModel, useView } from '../../../store/model-context.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { useListKeys } from '../../../ui/list/use-list-keys.ts';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { ClientsHeader } from '../clients-header.tsx';
import { ProfilePage } from './profile-page.tsx';
import classes from './profiles.module.css';

/** Shows the profiles; the first one is open until another is chosen. */
export function ProfilesPage() {
  const model = useModel();
  const view = useStore(model.mirrors.profiles, (state) => state);
  const wanted = useView(({ place }) => place.profile);
  const open = view.profiles.find(({ name }) => name === wanted) ?? view.profiles[0];
  const [createdName, setMade] = useState<string>();
  const create = async () => setMade(await createProfile(model));
  return (
    <>
      <ClientsHeader page="profiles">
        <Button
          leftSection={<Plus size={15} aria-hidden />}
          onClick={() => void create()}
          disabled={view.problem !== undefined}
        >
          New profile
        </Button>
      </ClientsHeader>
      {view.problem !== undefined && (
        <div className={classes.problem}>
          <ProblemCard problem={view.problem} />
        </div>
      )}
      {open === undefined && view.problem === undefined && (
        <EmptyState
          icon={Layers}
          title="No profiles yet"
          text="A profile is a selection of servers and tools. A client with a profile gets only what is in it."
        >
          <Button onClick={() => void create()}>New profile</Button>
        </EmptyState>
      )}
      {open !== undefined && (
        <div className={classes.split}>
          <ProfileList view={view} open={open.name} />
          <ProfilePage
            key={open.name}
            profile={open}
            isNew={open.name === createdName}
            onNameFocus={() => setMade(undefined)}
          />
        </div>
      )}
    </>
  );
}

function ProfileList({ view, open }: { view: ProfilesView; open: string }) {
  const model = useModel();
  const { profiles, clients } = view;
  const onKeyDown = useListKeys({ count: profiles.length, show: () => {} });
  const users = (name: string) => Object.values(clients).filter((one) => one === name).length;
  return (
    <div className={classes.list}>
      <ul aria-label="Profiles" onKeyDown={onKeyDown}>
        {profiles.map(({ name, servers }, index) => (
          <li key={name} data-open={name === open}>
            <button
              type="button"
              className={`bare ${classes.entry}`}
              data-row={index}
              aria-current={name === open ? 'true' : undefined}
              onClick={() => openProfiles(model, name)}
            >
              <span className={`truncate ${classes.entryName}`}>{name}</span>
              <span className={classes.entryNote}>
                {formatCount(Object.keys(servers).length, 'server')}
                {users(name) > 0 && ` · ${formatCount(users(name), 'client')}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

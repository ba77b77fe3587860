import { Select } from '@mantine/core';
import { useStore } from 'zustand/react';
import type { ClientView } from '../../../shared/model/client.ts';
import { assignProfile } from '../../command/profile-actions.ts';
import { clientTitle } from '../../lib/client-title.ts';
import { useModel } from '../../store/model-context.tsx';
import classes from './clients-view.module.css';

/** Which profile a client has, and the others; only told where its address or its entry says so. */
export function ProfileChoice({ client }: { client: ClientView }) {
  const model = useModel();
  const { profiles } = useStore(model.mirrors.profiles, (view) => view);
  const { profile } = client;
  if (profile !== undefined && !profile.isKnown) {
    return (
      <p className={classes.list} data-tone="warning">
        <span>
          {profile.name === ''
            ? 'Nobody can read which profile it has'
            : `There is no profile ${profile.name}`}
          , so it gets nothing.
        </span>
      </p>
    );
  }
  if (profile?.isAsked)
    return <p className={classes.dim}>Gets the profile {profile.name}, as its own entry says.</p>;
  if (profiles.length === 0 || client.name === '') return null;
  return (
    <Select
      size="xs"
      aria-label={`Profile of ${clientTitle(client)}`}
      data={[
        { value: everything, label: 'Gets everything' },
        ...profiles.map(({ name }) => ({ value: `p:${name}`, label: `Gets the profile ${name}` })),
      ]}
      value={profile === undefined ? everything : `p:${profile.name}`}
      allowDeselect={false}
      onChange={(value) =>
        value !== null && void assignProfile(model, client, value === everything ? undefined : value.slice(2))
      }
    />
  );
}

const everything = 'everything';

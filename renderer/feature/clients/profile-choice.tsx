import { Select } from '@mantine/core';
import { useStore } from 'zustand/react';
import type { ClientView } from '../../../shared/model/client/client.ts';
import { assignProfile } from '../../command/client/profile-actions.ts';
import { clientTitle } from '../../lib/server/client-title.ts';
import { useModel } from '../../store/model-context.tsx';
import classes from './clients-view.module.css';

/** Chooses a client's profile; read-only where the client's own config sets it. */
export function ProfileChoice({ client }: { client: ClientView }) {
  const model = useModel();
  const { profiles } = useStore(model.mirrors.profiles, (view) => view);
  const { profile } = client;
  if (profile?.isAsked === true && profile.isKnown)
    return <p className={classes.dim}>Profile {profile.name}, set by the client’s own config.</p>;
  const isFixed = profile?.isAsked === true || client.name === '';
  return (
    <>
      {profile?.isKnown === false && <UnknownProfile name={profile.name} />}
      {!isFixed && (profiles.length > 0 || profile !== undefined) && (
        <Select
          size="xs"
          aria-label={`Profile of ${clientTitle(client)}`}
          placeholder="Choose a profile"
          data={[
            { value: everything, label: 'All servers and tools' },
            ...profiles.map(({ name }) => ({ value: `p:${name}`, label: `Profile ${name}` })),
          ]}
          value={choiceOf(profile)}
          allowDeselect={false}
          onChange={(value) =>
            value !== null &&
            void assignProfile(model, client, value === everything ? undefined : value.slice(2))
          }
        />
      )}
    </>
  );
}

function UnknownProfile({ name }: { name: string }) {
  return (
    <p className={classes.list} data-tone="warning">
      <span>
        {name === '' ? 'This client’s profile cannot be read' : `Profile ${name} does not exist`}, so this
        client gets nothing.
      </span>
    </p>
  );
}

function choiceOf(profile: ClientView['profile']): string | null {
  if (profile === undefined) return everything;
  return profile.isKnown ? `p:${profile.name}` : null;
}

const everything = 'everything';

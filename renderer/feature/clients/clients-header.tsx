import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { openClients, openProfiles } from '../../command/profile-actions.ts';
import { useModel } from '../../store/model-context.tsx';
import type { ClientsPage } from '../../store/view-store.ts';
import { ViewHeader } from '../../ui/view-header.tsx';

interface ClientsHeaderProps {
  readonly page: ClientsPage;
  readonly note?: ReactNode;
  readonly children?: ReactNode;
}

/** The top line of all about clients, with the way to the other page. */
export function ClientsHeader({ page, note, children }: ClientsHeaderProps) {
  const model = useModel();
  return (
    <ViewHeader title="Clients" note={note}>
      {children}
      <SegmentedControl
        size="xs"
        aria-label="Page of the clients"
        value={page}
        onChange={(next) => (next === 'profiles' ? openProfiles(model) : openClients(model))}
        data={[
          { value: 'clients', label: 'Clients' },
          { value: 'profiles', label: 'Profiles' },
        ]}
      />
    </ViewHeader>
  );
}

import { SegmentedControl } from '@mantine/core';
import type { ReactNode } from 'react';
import { openAccess } from '../../command/access/access-actions.ts';
import { openClients, openProfiles } from '../../command/client/profile-actions.ts';
import type { Model } from '../../store/model.ts';
import { useModel } from '../../store/model-context.tsx';
import type { ClientsPage } from '../../store/view-store.ts';
import { ViewHeader } from '../../ui/view-header.tsx';

interface ClientsHeaderProps {
  readonly page: ClientsPage;
  readonly note?: ReactNode;
  readonly children?: ReactNode;
}

const pages: Readonly<Record<ClientsPage, (model: Model) => void>> = {
  clients: openClients,
  profiles: (model) => openProfiles(model),
  access: openAccess,
};

/** Renders the header of the clients pages and switches between them. */
export function ClientsHeader({ page, note, children }: ClientsHeaderProps) {
  const model = useModel();
  return (
    <ViewHeader title="Clients" note={note}>
      {children}
      <SegmentedControl
        size="xs"
        aria-label="Clients page"
        value={page}
        onChange={(next) => pages[next](model)}
        data={[
          { value: 'clients', label: 'Clients' },
          { value: 'profiles', label: 'Profiles' },
          { value: 'access', label: 'Access' },
        ]}
      />
    </ViewHeader>
  );
}

import { MonitorSmartphone } from 'lucide-react';
import { formatCount } from '../../lib/text/format-amount.ts';
import { useConnectClients } from '../../store/hook/engine-hooks.ts';
import { knownValue } from '../../store/hook/use-engine.ts';
import { useClients, useView } from '../../store/model-context.tsx';
import { ScrollRegion } from '../../ui/list/scroll-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { AccessPage } from './access/access-page.tsx';
import { ClientCard } from './client-card.tsx';
import { ClientsHeader } from './clients-header.tsx';
import classes from './clients-view.module.css';
import { ClientList } from './connect/client-list.tsx';
import { ConnectPanel } from './connect-panel.tsx';
import { KnownClients } from './known-clients.tsx';
import { ProfilesPage } from './profiles/profiles-page.tsx';

/** Shows the chosen clients page: connected clients, profiles or access. */
export function ClientsView() {
  const page = useView(({ place }) => place.clientsPage) ?? 'clients';
  switch (page) {
    case 'clients':
      return <ConnectedClients />;
    case 'profiles':
      return <ProfilesPage />;
    case 'access':
      return <AccessPage />;
  }
}

function ConnectedClients() {
  const clients = useClients();
  const apps = knownValue(useConnectClients())?.clients;
  const capOf = (name: string) => apps?.find(({ clientNames }) => clientNames.includes(name))?.limits.tools;
  return (
    <>
      <ClientsHeader
        page="clients"
        note={clients.length === 0 ? undefined : `${formatCount(clients.length, 'client')} connected`}
      />
      <ScrollRegion label="Clients" className={`scrolls ${classes.scroll}`}>
        {clients.length === 0 && <NoneConnected />}
        <ul className={classes.cards} aria-label="Connected clients">
          {clients.map((client) => (
            <ClientCard key={client.id} client={client} toolCap={capOf(client.name)} />
          ))}
        </ul>
        <KnownClients />
        <ClientList />
        <ConnectPanel />
      </ScrollRegion>
    </>
  );
}

function NoneConnected() {
  return (
    <Notice
      label="No client is running"
      icon={<MonitorSmartphone size={16} />}
      tone="quiet"
      title="No client is running"
      text="Connected apps appear here when they run. Connect another below: you see the change first, then Patchbay tests it."
    />
  );
}

import { Button } from '@mantine/core';
import { MonitorSmartphone } from 'lucide-react';
import { openClientDetail } from '../../command/client/client-actions.ts';
import { clientTitle } from '../../lib/server/client-title.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import { formatDay } from '../../lib/text/format-day.ts';
import { useConnectClients, useKnownClients } from '../../store/hook/engine-hooks.ts';
import { knownValue } from '../../store/hook/use-engine.ts';
import { useClients, useModel, useTimeText, useView } from '../../store/model-context.tsx';
import { ScrollRegion } from '../../ui/list/scroll-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { AccessPage } from './access/access-page.tsx';
import { ClientCard } from './client-card.tsx';
import { ClientsHeader } from './clients-header.tsx';
import classes from './clients-view.module.css';
import { ClientList } from './connect/client-list.tsx';
import { ConnectPanel } from './connect-panel.tsx';
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

/** Lists recently seen clients, if any. */
function KnownClients() {
  const model = useModel();
  const known = useKnownClients();
  if (known.length === 0) return null;
  return (
    <section className={classes.known} aria-label="Recently seen">
      <h2 className={classes.heading}>Recently seen</h2>
      <ul>
        {known.map(({ id, name, calls, lastUsedAt }) => (
          <li key={id}>
            <span className={classes.knownName}>{clientTitle({ name })}</span>
            <span className={classes.dim}>
              {formatCount(calls, 'call')} in 30 days, last <Day at={lastUsedAt} />
            </span>
            <Button
              variant="default"
              aria-label={`Tools ${clientTitle({ name })} sees`}
              onClick={() => openClientDetail(model, id)}
            >
              Tools it sees
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows a day without a time, since calls are counted per day. */
function Day({ at }: { at: number }) {
  const text = useTimeText((now) => formatDay(at, now));
  return <time dateTime={new Date(at).toISOString()}>{text}</time>;
}

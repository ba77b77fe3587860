import { MonitorSmartphone } from 'lucide-react';
import { formatCount } from '../../lib/format-amount.ts';
import { useClients } from '../../store/model-context.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { ViewHeader } from '../../ui/view-header.tsx';
import { ClientCard } from './client-card.tsx';
import classes from './clients-view.module.css';
import { ConnectButtons, ConnectPanel } from './connect-panel.tsx';

/** Who is connected, and how the next one gets connected. */
export function ClientsView() {
  const clients = useClients();
  return (
    <>
      <ViewHeader
        title="Clients"
        note={clients.length === 0 ? undefined : `${formatCount(clients.length, 'client')} connected`}
      />
      {clients.length === 0 ? (
        <EmptyState
          icon={MonitorSmartphone}
          title="No client is connected"
          text="Copy the bridge entry into the MCP config of Claude Desktop, Cursor, VS Code or any other client, then restart that client. It appears here when it connects."
        >
          <ConnectButtons />
        </EmptyState>
      ) : (
        <ScrollRegion label="Connected clients" className={classes.scroll}>
          <ul className={classes.cards}>
            {clients.map((client) => (
              <ClientCard key={client.id} client={client} />
            ))}
          </ul>
          <ConnectPanel />
        </ScrollRegion>
      )}
    </>
  );
}

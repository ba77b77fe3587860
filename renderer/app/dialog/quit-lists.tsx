import type { ReactNode } from 'react';
import type { QuitPlan } from '../../../shared/model/activity/call.ts';
import { clientTitle } from '../../lib/server/client-title.ts';
import { useClients } from '../../store/model-context.tsx';
import { ScrollRegion } from '../../ui/list/scroll-region.tsx';
import { ServerName } from '../../ui/text/server-name.tsx';
import { Ago, Lasting } from '../../ui/text/time-text.tsx';
import classes from './quit-dialog.module.css';

/** Lists active calls, longest running first. */
export function CallList({ calls }: Pick<QuitPlan, 'calls'>) {
  if (calls.length === 0) return null;
  const byAge = [...calls].sort((left, right) => left.since - right.since);
  return (
    <List title="Calls in progress" count={calls.length}>
      {byAge.map(({ clientId, clientName, serverKey, method, name, since }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a client may make the same call twice in one moment
        <li key={`${clientId} ${serverKey} ${name} ${since} ${index}`} className={classes.line}>
          <span className={`grow ${classes.words}`}>
            <code>{name ?? method}</code>
            <span className="dim">
              <ServerName serverKey={serverKey} />, for {clientTitle({ name: clientName })}
            </span>
          </span>
          <span className="fixed dim numeric">
            <Lasting since={since} />
          </span>
        </li>
      ))}
    </List>
  );
}

export function ClientList({ clients }: Pick<QuitPlan, 'clients'>) {
  const known = useClients();
  if (clients.length === 0) return null;
  return (
    <List title="Connected clients" count={clients.length}>
      {clients.map((client) => (
        <li key={client.id} className={classes.line}>
          <span className={`grow ${classes.words}`}>
            {clientTitle(known.find(({ id }) => id === client.id) ?? client)}
          </span>
          <span className="fixed dim numeric">
            active <Ago at={client.lastActiveAt} />
          </span>
        </li>
      ))}
    </List>
  );
}

function List({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  return (
    <div>
      <h3 className={classes.title}>
        {title} <span className="numeric">{count}</span>
      </h3>
      <ScrollRegion label={title} className={classes.scroll}>
        <ul>{children}</ul>
      </ScrollRegion>
    </div>
  );
}

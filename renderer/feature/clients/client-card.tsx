import { Button } from '@mantine/core';
import { BellRing, Cable, CircleCheck, Globe, History, ListTree } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand/react';
import type { ClientView } from '../../../shared/model/client.ts';
import { notifyClient, openClientDetail } from '../../command/client-actions.ts';
import { clientTitle } from '../../lib/client-title.ts';
import { useModel } from '../../store/model-context.tsx';
import { Ago } from '../../ui/time-text.tsx';
import { staleAdvice, styleWords, tellable, viaWords } from './client-advice.ts';
import classes from './clients-view.module.css';
import { CompactSwitch } from './compact/compact-switch.tsx';
import { ProfileChoice } from './profile-choice.tsx';

/** One connected client: who, through what, and whether it knows today's tools. */
export function ClientCard({ client }: { client: ClientView }) {
  const model = useModel();
  const Via = client.via === 'http' ? Globe : Cable;
  return (
    <li className={classes.card} aria-label={clientTitle(client)}>
      <header className={classes.cardHead}>
        <div className={classes.names}>
          <h2 className={classes.name}>{clientTitle(client)}</h2>
          <p className={classes.id}>
            {client.name} {client.version}
          </p>
        </div>
        <span className={classes.via}>
          <Via size={14} aria-hidden />
          {viaWords[client.via]}
          {client.bridgeVersion !== undefined && ` ${client.bridgeVersion}`}
        </span>
      </header>
      <ListState client={client} />
      <dl className={classes.figures}>
        <Figure label="Tools listed">{client.listedTools.toLocaleString('en')}</Figure>
        <Figure label="Calls">{client.calls.toLocaleString('en')}</Figure>
        <Figure label="Last active">
          <Ago at={client.lastActiveAt} />
        </Figure>
        <Figure label="Connected">
          <Ago at={client.connectedAt} />
        </Figure>
        <Figure label="Sees names as">
          <code>{styleWords[client.nameStyle]}</code>
        </Figure>
      </dl>
      <ProfileChoice client={client} />
      <CompactSwitch client={client} />
      <footer className={classes.cardFoot}>
        <Button
          variant="default"
          leftSection={<ListTree size={13} aria-hidden />}
          aria-label={`What ${clientTitle(client)} gets`}
          onClick={() => openClientDetail(model, client.id)}
        >
          What it gets
        </Button>
        {client.stale && tellable(client) && (
          <Button
            variant="default"
            leftSection={<BellRing size={13} aria-hidden />}
            onClick={() => void notifyClient(model, client)}
          >
            Tell it again
          </Button>
        )}
      </footer>
    </li>
  );
}

/** Which list the client holds, compared with the one it would get now. */
function ListState({ client }: { client: ClientView }) {
  const current = useStore(useModel().mirrors.hub, (hub) => hub?.revision);
  if (client.listRevision === undefined) {
    return (
      <p className={classes.list} data-tone="quiet">
        <History size={15} aria-hidden />
        <span>Has not asked for the tool list yet.</span>
      </p>
    );
  }
  if (!client.stale) {
    return (
      <p className={classes.list} data-tone="good">
        <CircleCheck size={15} aria-hidden />
        <span>
          <strong title={`List ${client.listRevision}`}>It has the newest list of tools</strong>
        </span>
      </p>
    );
  }
  return (
    <p className={classes.list} data-tone="warning">
      <History size={15} aria-hidden />
      <span>
        <strong title={`It has list ${client.listRevision}; the newest is ${current}`}>
          It has an older list of tools
        </strong>
        <span className={classes.advice}>
          {staleAdvice(client)} Tools that are switched off are refused meanwhile.
        </span>
      </span>
    </p>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

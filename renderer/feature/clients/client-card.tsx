import { Button } from '@mantine/core';
import { BellRing, Cable, CircleCheck, Globe, History, ListTree, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand/react';
import type { ClientView } from '../../../shared/model/client/client.ts';
import { notifyClient, openClientDetail } from '../../command/client/client-actions.ts';
import { clientTitle } from '../../lib/server/client-title.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import { useModel } from '../../store/model-context.tsx';
import { Ago } from '../../ui/text/time-text.tsx';
import { canNotify, nameStyleLabels, staleAdvice, transportLabels } from './client-advice.ts';
import classes from './clients-view.module.css';
import { CompactSwitch } from './compact/compact-switch.tsx';
import { ProfileChoice } from './profile-choice.tsx';

/** Shows one connected client: who, how it is connected, and whether its tool list is current. */
export function ClientCard({ client, toolCap }: { client: ClientView; toolCap: number | undefined }) {
  const model = useModel();
  const Via = client.via === 'http' ? Globe : Cable;
  return (
    <li className={classes.card} aria-label={clientTitle(client)}>
      <header className={classes.cardHead}>
        <div className="grow">
          <h2 className={classes.name}>{clientTitle(client)}</h2>
          <p className="truncate dim tiny">
            {client.name} {client.version}
          </p>
        </div>
        <span className={classes.via}>
          <Via size={14} aria-hidden />
          {transportLabels[client.via]}
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
        <Figure label="Tool names">
          <code>{nameStyleLabels[client.nameStyle]}</code>
        </Figure>
      </dl>
      <ProfileChoice client={client} />
      <TooManyTools client={client} toolCap={toolCap} />
      <CompactSwitch client={client} />
      <footer className={classes.cardFoot}>
        <Button
          variant="default"
          leftSection={<ListTree size={13} aria-hidden />}
          aria-label={`Tools ${clientTitle(client)} sees`}
          onClick={() => openClientDetail(model, client.id)}
        >
          Tools it sees
        </Button>
        {client.stale && canNotify(client) && (
          <Button
            variant="default"
            leftSection={<BellRing size={13} aria-hidden />}
            onClick={() => void notifyClient(model, client)}
          >
            Notify again
          </Button>
        )}
      </footer>
    </li>
  );
}

/** Warns that the client cannot use its whole list, and says what helps. */
function TooManyTools({ client, toolCap }: { client: ClientView; toolCap: number | undefined }) {
  const { compact, listedTools } = client;
  if (compact !== undefined || toolCap === undefined || listedTools <= toolCap) return null;
  return (
    <p className={classes.list} data-tone="warning">
      <TriangleAlert size={15} aria-hidden />
      <span>
        <strong>
          {formatCount(listedTools, 'tool')}: {clientTitle(client)} works with up to {toolCap}
        </strong>
        <span className={classes.advice}>Turn on compact mode, or choose a profile with fewer tools.</span>
      </span>
    </p>
  );
}

/** Compares the list that the client has with the current one. */
function ListState({ client }: { client: ClientView }) {
  const current = useStore(useModel().mirrors.hub, (hub) => hub?.revision);
  if (client.listRevision === undefined) {
    return (
      <p className={classes.list} data-tone="quiet">
        <History size={15} aria-hidden />
        <span>Tool list not requested yet.</span>
      </p>
    );
  }
  if (!client.stale) {
    return (
      <p className={classes.list} data-tone="good">
        <CircleCheck size={15} aria-hidden />
        <span>
          <strong title={`List ${client.listRevision}`}>Up to date</strong>
        </span>
      </p>
    );
  }
  return (
    <p className={classes.list} data-tone="warning">
      <History size={15} aria-hidden />
      <span>
        <strong title={`List ${client.listRevision}; the newest is ${current}`}>
          Out of date: restart {clientTitle(client)}
        </strong>
        <span className={classes.advice}>
          {staleAdvice(client)} Until then, calls to tools that are turned off are refused.
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

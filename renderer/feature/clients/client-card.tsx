import { Button, Select } from '@mantine/core';
import { BellRing, Cable, CircleCheck, Globe, History, ListTree, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand/react';
import type { ClientView } from '../../../shared/model/client/client.ts';
import { clientProtocol, hasConnection } from '../../../shared/model/server/protocol-text.ts';
import { notifyClient, openClientDetail } from '../../command/client/client-actions.ts';
import { assignProfile } from '../../command/client/profile-actions.ts';
import { clientTitle } from '../../lib/server/client-title.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import { useModel } from '../../store/model-context.tsx';
import { SpokenProtocol } from '../../ui/text/spoken-protocol.tsx';
import { Ago } from '../../ui/text/time-text.tsx';
import { canNotify, nameStyleLabels, staleAdvice, transportLabels } from './client-advice.ts';
import classes from './clients-view.module.css';
import { CompactSwitch } from './compact/compact-switch.tsx';

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
        <Figure label={hasConnection(client) ? 'Connected' : 'Active since'}>
          <Ago at={client.connectedAt} />
        </Figure>
        <Figure label="Tool names">
          <code>{nameStyleLabels[client.nameStyle]}</code>
        </Figure>
        {client.era !== undefined && client.protocolVersion !== undefined && (
          <Figure label="Protocol">
            <SpokenProtocol of={clientProtocol(client.era, client.protocolVersion)} />
          </Figure>
        )}
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

/** Chooses a client's profile; read-only where the client's own config sets it. */
function ProfileChoice({ client }: { client: ClientView }) {
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

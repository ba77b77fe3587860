import { Button, Select, Skeleton, Switch } from '@mantine/core';
import { Plus, ShieldCheck } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { useStore } from 'zustand/react';
import type { AccessView, NewClients } from '../../../../shared/model/access/access.ts';
import { saveSettings } from '../../../command/app/app-actions.ts';
import { identityAccessList } from '../../../lib/server/access-cell.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { matchesWords, queryWords } from '../../../lib/text/match-words.ts';
import { useAccess } from '../../../store/hook/engine-hooks.ts';
import { knownValue } from '../../../store/hook/use-engine.ts';
import { useModel, useServers } from '../../../store/model-context.tsx';
import { openDialog } from '../../../store/view-store.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SearchField } from '../../../ui/list/search-field.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { ClientsHeader } from '../clients-header.tsx';
import classes from './access.module.css';
import { AccessMatrix } from './access-matrix.tsx';
import { DamagedDatabaseNotice } from './damaged-database-notice.tsx';
import { identitySearchText } from './identity-labels.ts';

/** Shows who can call what: every server against every client. */
export function AccessPage() {
  const model = useModel();
  const state = useAccess();
  const view = knownValue(state);
  return (
    <>
      <ClientsHeader
        page="access"
        note={view && formatCount(view.identities.length, 'client or agent', 'clients and agents')}
      >
        <Button
          leftSection={<Plus size={15} aria-hidden />}
          onClick={() => openDialog(model.view, { kind: 'new-agent' })}
        >
          New agent
        </Button>
      </ClientsHeader>
      <DamagedDatabaseNotice />
      {state.kind === 'loading' && (
        <div className={classes.alone} role="status" aria-label="Loading access">
          <Skeleton height={260} radius={8} />
        </div>
      )}
      {state.kind === 'failed' && (
        <div className={classes.alone}>
          <ProblemCard problem={state.problem} />
        </div>
      )}
      {view !== undefined && <LoadedAccess view={view} />}
    </>
  );
}

function LoadedAccess({ view }: { view: AccessView }) {
  const [query, setQuery] = useState('');
  const searched = useDeferredValue(query);
  const servers = useServers(({ order }) => order);
  const standings = useMemo(() => identityAccessList(view), [view]);
  const words = useMemo(() => queryWords(searched), [searched]);
  const found = useMemo(() => {
    const matchingStandings = standings.filter(({ identity }) =>
      matchesWords(identitySearchText(identity), words),
    );
    const matchingServers = servers.filter((key) => matchesWords(key.toLowerCase(), words));
    return {
      standings: matchingStandings.length > 0 ? matchingStandings : standings,
      servers: matchingServers.length > 0 ? matchingServers : servers,
      isNone: matchingStandings.length === 0 && matchingServers.length === 0,
    };
  }, [standings, servers, words]);
  if (standings.length === 0) return <NoIdentities view={view} />;
  return (
    <>
      <div className={`row ${classes.bar}`}>
        <SearchField label="Search clients and servers" width={240} value={query} onChange={setQuery} />
        <NewClientsChoice value={view.newClients} />
        <AskDestructiveSwitch />
        <Legend />
      </div>
      {found.isNone ? (
        <EmptyState
          icon={ShieldCheck}
          title="Nothing matches"
          text={`No client, agent or server contains “${searched}”.`}
        />
      ) : (
        <AccessMatrix standings={found.standings} servers={found.servers} />
      )}
    </>
  );
}

function NoIdentities({ view }: { view: AccessView }) {
  const model = useModel();
  return (
    <>
      <div className={`row ${classes.bar}`}>
        <NewClientsChoice value={view.newClients} />
        <AskDestructiveSwitch />
      </div>
      <EmptyState
        icon={ShieldCheck}
        title="No clients yet"
        text="A client is listed after its first connection. Create an agent to give a script a token of its own."
      >
        <Button onClick={() => openDialog(model.view, { kind: 'new-agent' })}>New agent</Button>
      </EmptyState>
    </>
  );
}

/** Toggles the rule for destructive tools, which ranks below the rules of each client. */
function AskDestructiveSwitch() {
  const model = useModel();
  const isOn = useStore(model.mirrors.settings, (settings) => settings?.askDestructive) ?? false;
  async function save(askDestructive: boolean): Promise<void> {
    const problem = await saveSettings(model, { askDestructive });
    if (problem !== undefined) model.notify.problem(problem);
  }
  return (
    <Switch
      size="xs"
      label="Ask before destructive tools"
      title="Applies to all clients. Rules for a client’s servers and tools take precedence."
      checked={isOn}
      onChange={(event) => void save(event.currentTarget.checked)}
    />
  );
}

/** Chooses the access that a new client gets. */
function NewClientsChoice({ value }: { value: NewClients }) {
  const model = useModel();
  const saved = useStore(model.mirrors.settings, (settings) => settings?.newClients) ?? value;
  async function save(newClients: NewClients): Promise<void> {
    const problem = await saveSettings(model, { newClients });
    if (problem !== undefined) model.notify.problem(problem);
  }
  return (
    <Select
      size="xs"
      w={260}
      aria-label="Access of new clients"
      data={[...newClientChoices]}
      value={saved}
      allowDeselect={false}
      onChange={(next) => next !== null && void save(next as NewClients)}
    />
  );
}

const newClientChoices: readonly { readonly value: NewClients; readonly label: string }[] = [
  { value: 'everything', label: 'New clients: allow everything' },
  { value: 'ask', label: 'New clients: ask for each call' },
  { value: 'nothing', label: 'New clients: block everything' },
];

function Legend() {
  return (
    <p className="row end gap-6 dim tiny">
      <span className={classes.ownDot} aria-hidden /> own rule; others use the default
    </p>
  );
}

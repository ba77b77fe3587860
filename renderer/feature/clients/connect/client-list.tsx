import { Loader } from '@mantine/core';
import { useState } from 'react';
import type { ConnectClient } from '../../../../shared/model/client/connect.ts';
import { joinWords } from '../../../lib/text/join-words.ts';
import { useConnectClients } from '../../../store/hook/engine-hooks.ts';
import { Disclosure } from '../../../ui/dialog/disclosure.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { ClientRow } from './client-row.tsx';
import classes from './connect.module.css';

/** Lists the clients on this computer with their actions: connect, test, restore, undo. */
export function ClientList() {
  const state = useConnectClients();
  return (
    <section className={classes.section} aria-label="Clients on this computer">
      <h2 className={classes.heading}>On this computer</h2>
      {state.kind === 'loading' && (
        <p className={`row ${classes.quiet}`}>
          <Loader size={14} /> Looking for clients…
        </p>
      )}
      {state.kind === 'failed' && <ProblemCard problem={state.problem} about="Clients" />}
      {state.kind === 'known' && <Rows clients={state.value.clients} />}
    </section>
  );
}

function Rows({ clients }: { clients: readonly ConnectClient[] }) {
  const [open, setOpen] = useState(false);
  const here = clients.filter(({ status }) => status !== 'not-found' && status !== 'manual');
  const others = clients.filter(({ status }) => status === 'not-found' || status === 'manual');
  const isBegun = here.some(({ status }) => status !== 'found');
  const next = isBegun ? undefined : here[0];
  const names = joinWords(
    others.map(({ title }) => title),
    4,
  );
  return (
    <>
      {here.length === 0 && (
        <p className={`row ${classes.quiet}`}>
          No app that Patchbay knows was found. Choose its config file below, or set it up by hand.
        </p>
      )}
      <ul className={classes.rows}>
        {here.map((client) => (
          <ClientRow key={client.id} client={client} isNext={client === next} />
        ))}
      </ul>
      {others.length > 0 && (
        <Disclosure title="Not found, or set up by hand" summary={names} open={open} onOpen={setOpen}>
          <ul className={classes.rows}>
            {others.map((client) => (
              <ClientRow key={client.id} client={client} />
            ))}
          </ul>
        </Disclosure>
      )}
    </>
  );
}

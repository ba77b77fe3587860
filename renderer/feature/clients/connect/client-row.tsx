import { ActionIcon, Button, Menu } from '@mantine/core';
import { CircleCheck, CircleDashed, Ellipsis, TriangleAlert } from 'lucide-react';
import type { ConnectClient } from '../../../../shared/model/client/connect.ts';
import {
  acceptConnectChange,
  askToDisconnect,
  forgetClientFile,
  locateClient,
  openBundle,
  openConnect,
  openSnippet,
} from '../../../command/client/connect-actions.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { useModel } from '../../../store/model-context.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { Ago } from '../../../ui/text/time-text.tsx';
import classes from './connect.module.css';

/**
 * Shows one client: whether it is connected, the evidence, and the next step. `isNext` marks the client to
 * start with.
 */
export function ClientRow({ client, isNext = false }: { client: ConnectClient; isNext?: boolean }) {
  const { title, status, problem, files } = client;
  const isTroubled = status === 'wiped' || status === 'changed';
  return (
    <li className={classes.row} aria-label={title} data-status={status}>
      <div className="row gap-12">
        <StatusIcon status={status} />
        <div className="grow">
          <p className="strong">{title}</p>
          <p className={classes.hint}>
            <StatusText client={client} />
            {files.map(({ file }) => (
              <code key={file} className="selectable breaks">
                {file}
              </code>
            ))}
          </p>
        </div>
        <div className="row fixed gap-6">
          <MainButton client={client} isNext={isNext} />
          <MoreMenu client={client} />
        </div>
      </div>
      {isTroubled && problem !== undefined && (
        <ProblemCard
          problem={problem}
          about={title}
          severity="warning"
          actions={<TroubleButtons client={client} />}
        />
      )}
    </li>
  );
}

function StatusIcon({ status }: Pick<ConnectClient, 'status'>) {
  if (status === 'connected') return <CircleCheck className={classes.good} size={17} aria-hidden />;
  if (status === 'wiped' || status === 'changed') {
    return <TriangleAlert className="fixed warns" size={17} aria-hidden />;
  }
  return <CircleDashed className="fixed dim" size={17} aria-hidden />;
}

function StatusText({ client: { status, since, proof } }: { client: ConnectClient }) {
  switch (status) {
    case 'connected':
      return (
        <span>
          Connected{' '}
          {proof?.ok && (
            <>
              and tested <Ago at={proof.at} />
              {proof.tools !== undefined && `, ${formatCount(proof.tools, 'tool')}`}
            </>
          )}
          {proof?.ok === false && <strong className={classes.bad}>but the last test failed</strong>}
        </span>
      );
    case 'wiped':
      return (
        <span>
          Patchbay’s entry is missing
          {since !== undefined && (
            <>
              {' '}
              since <Ago at={since} />
            </>
          )}
        </span>
      );
    case 'changed':
      return (
        <span>
          Patchbay’s entry was changed
          {since !== undefined && (
            <>
              {' '}
              <Ago at={since} />
            </>
          )}
        </span>
      );
    case 'found':
      return <span>Not connected</span>;
    case 'manual':
      return <span>Set up by hand: copy the snippet</span>;
    case 'not-found':
      return <span>Not found on this computer</span>;
  }
}

function MainButton({ client, isNext }: { client: ConnectClient; isNext: boolean }) {
  const model = useModel();
  const { status, title } = client;
  if (status === 'manual') {
    return (
      <Button
        variant="default"
        onClick={() => openSnippet(model, client)}
        aria-label={`Show the snippet for ${title}`}
      >
        Show snippet
      </Button>
    );
  }
  if (status === 'not-found') {
    return client.canLocate ? (
      <Button
        variant="default"
        onClick={() => void locateClient(model, client)}
        aria-label={`Choose the config file of ${title}`}
      >
        Choose config file…
      </Button>
    ) : null;
  }
  if (status === 'connected') {
    return (
      <Button
        variant="default"
        onClick={() => openConnect(model, client)}
        aria-label={`Test the connection of ${title}`}
      >
        Test
      </Button>
    );
  }
  return (
    <Button
      variant={status === 'found' && !isNext ? 'default' : 'filled'}
      onClick={() => openConnect(model, client)}
      aria-label={`Connect ${title}`}
    >
      {status === 'found' ? 'Connect…' : 'Restore…'}
    </Button>
  );
}

function TroubleButtons({ client }: { client: ConnectClient }) {
  const model = useModel();
  return (
    <>
      {client.suggestBundle && (
        <Button variant="default" size="compact-sm" onClick={() => void openBundle(model)}>
          Install the bundle instead
        </Button>
      )}
      <Button variant="default" size="compact-sm" onClick={() => void acceptConnectChange(model, client)}>
        Keep it this way
      </Button>
    </>
  );
}

function MoreMenu({ client }: { client: ConnectClient }) {
  const model = useModel();
  const hasChosen = client.files.some(({ chosen }) => chosen);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon aria-label={`More for ${client.title}`}>
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => openSnippet(model, client)}>Show snippet</Menu.Item>
        {client.bundle && <Menu.Item onClick={() => void openBundle(model)}>Install the bundle</Menu.Item>}
        {client.canLocate && (
          <Menu.Item onClick={() => void locateClient(model, client)}>Choose config file…</Menu.Item>
        )}
        {hasChosen && (
          <Menu.Item onClick={() => void forgetClientFile(model, client)}>
            Use the default config file
          </Menu.Item>
        )}
        {client.canUndo && (
          <Menu.Item color="red" onClick={() => askToDisconnect(model, client)}>
            Disconnect…
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

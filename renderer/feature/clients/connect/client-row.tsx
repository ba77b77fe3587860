import { ActionIcon, Button, Menu } from '@mantine/core';
import { CircleCheck, CircleDashed, Ellipsis, TriangleAlert } from 'lucide-react';
import type { ConnectClient } from '../../../../shared/model/connect.ts';
import {
  acceptConnectChange,
  forgetClientFile,
  locateClient,
  openBundle,
  openConnect,
  openSnippet,
  undoConnect,
} from '../../../command/connect-actions.ts';
import { formatCount } from '../../../lib/format-amount.ts';
import { useModel } from '../../../store/model-context.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { Ago } from '../../../ui/time-text.tsx';
import classes from './connect.module.css';

/** One client: whether it is connected, how that is known, and the next step. */
export function ClientRow({ client }: { client: ConnectClient }) {
  const { title, status, problem, files } = client;
  const isTroubled = status === 'wiped' || status === 'changed';
  return (
    <li className={classes.row} aria-label={title} data-status={status}>
      <div className={classes.rowHead}>
        <StatusIcon status={status} />
        <div className={classes.words}>
          <p className={classes.title}>{title}</p>
          <p className={classes.hint}>
            <StatusWords client={client} />
            {files.map(({ file }) => (
              <code key={file} className={`selectable ${classes.file}`}>
                {file}
              </code>
            ))}
          </p>
        </div>
        <div className={classes.actions}>
          <MainButton client={client} />
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
    return <TriangleAlert className={classes.warn} size={17} aria-hidden />;
  }
  return <CircleDashed className={classes.idle} size={17} aria-hidden />;
}

function StatusWords({ client: { status, since, proof } }: { client: ConnectClient }) {
  switch (status) {
    case 'connected':
      return (
        <span>
          Connected{' '}
          {proof?.ok && (
            <>
              and proved <Ago at={proof.at} />
              {proof.tools !== undefined && `, ${formatCount(proof.tools, 'tool')}`}
            </>
          )}
          {proof?.ok === false && <strong className={classes.bad}>but its proof failed</strong>}
        </span>
      );
    case 'wiped':
      return (
        <span>
          Its entry is gone
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
          Its entry was changed
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
      return <span>Connected by hand, with a snippet</span>;
    case 'not-found':
      return <span>Not found on this machine</span>;
  }
}

function MainButton({ client }: { client: ConnectClient }) {
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
        aria-label={`${title} is here`}
      >
        It is here…
      </Button>
    ) : null;
  }
  if (status === 'connected') {
    return (
      <Button
        variant="default"
        onClick={() => openConnect(model, client)}
        aria-label={`Prove the connection of ${title}`}
      >
        Prove…
      </Button>
    );
  }
  return (
    <Button onClick={() => openConnect(model, client)} aria-label={`Connect ${title}`}>
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
        Leave it so
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
        <Menu.Item onClick={() => openSnippet(model, client)}>Show the snippet</Menu.Item>
        {client.bundle && <Menu.Item onClick={() => void openBundle(model)}>Install the bundle</Menu.Item>}
        {client.canLocate && (
          <Menu.Item onClick={() => void locateClient(model, client)}>Its file is elsewhere…</Menu.Item>
        )}
        {hasChosen && (
          <Menu.Item onClick={() => void forgetClientFile(model, client)}>
            Look where it normally is
          </Menu.Item>
        )}
        {client.canUndo && (
          <Menu.Item color="red" onClick={() => void undoConnect(model, client)}>
            Take our entry out
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

import { Button, Loader } from '@mantine/core';
import { ArrowRightLeft, FileJson, Zap } from 'lucide-react';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import type { ServerUpdate } from '../../../../shared/model/server/server-update.ts';
import { openServer } from '../../../command/navigate.ts';
import { dismissUpdate, forceUpdate } from '../../../command/server/server-actions.ts';
import { differenceText } from '../../../lib/tool/tool-difference.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { Ago, Lasting } from '../../../ui/text/time-text.tsx';
import { ToolDifferenceView } from '../../../ui/tool/tool-difference-view.tsx';

/**
 * Shows a saved config being applied: the new process starts next to the old one, which serves until the new
 * one is ready.
 */
export function UpdateNotice({ server, editing = false }: { server: ServerView; editing?: boolean }) {
  const { key, update } = server;
  switch (update?.kind) {
    case undefined:
      return null;
    case 'starting':
      return <Starting update={update} />;
    case 'done':
      return <Done serverKey={key} update={update} />;
    case 'failed':
      return <Failed serverKey={key} update={update} editing={editing} />;
  }
}

type Kind<K extends ServerUpdate['kind']> = Extract<ServerUpdate, { kind: K }>;

function Starting({ update }: { update: Kind<'starting'> }) {
  return (
    <Notice
      label="New config"
      icon={<Loader size={16} />}
      title="Starting with the new config…"
      text={
        <>
          The old process keeps serving until the new one is ready. <Lasting since={update.since} /> so far.
        </>
      }
    />
  );
}

function Done({ serverKey, update }: { serverKey: string; update: Kind<'done'> }) {
  const { difference, draining, at } = update;
  const same = difference.added.length + difference.removed.length + difference.changed.length === 0;
  return (
    <Notice
      label="New config"
      tone="quiet"
      icon={<ArrowRightLeft size={16} />}
      title={`New config in use: ${differenceText(difference)}.`}
      text={
        <>
          Clients were switched over <Ago at={at} />.
          {draining && ' The old process finishes its last calls, then stops.'}
        </>
      }
      actions={<DismissButton serverKey={serverKey} />}
    >
      {!same && <ToolDifferenceView difference={difference} />}
    </Notice>
  );
}

interface FailedProps {
  readonly serverKey: string;
  readonly update: Kind<'failed'>;
  readonly editing: boolean;
}

function Failed({ serverKey, update, editing }: FailedProps) {
  const model = useModel();
  const { sentence, ...rest } = update.problem;
  return (
    <ProblemCard
      problem={{
        ...rest,
        sentence: `The new config failed. ${sentence} The old one is still in use.`,
      }}
      about={serverKey}
      severity="warning"
      open
      actions={
        <>
          {!editing && (
            <Button
              variant="default"
              leftSection={<FileJson size={13} aria-hidden />}
              onClick={() => openServer(model, serverKey, 'config')}
            >
              Edit config
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<Zap size={13} aria-hidden />}
            onClick={() => void forceUpdate(model, serverKey)}
          >
            Use the new one anyway
          </Button>
          <DismissButton serverKey={serverKey} />
        </>
      }
    />
  );
}

function DismissButton({ serverKey }: { serverKey: string }) {
  const model = useModel();
  return (
    <Button variant="subtle" color="gray" onClick={() => void dismissUpdate(model, serverKey)}>
      Dismiss
    </Button>
  );
}

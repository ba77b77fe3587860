import { Loader } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import type { EntryTrial } from '../../../../../shared/model/server/server-update.ts';
import { formatCount } from '../../../../lib/text/format-amount.ts';
import { formatMilliseconds } from '../../../../lib/text/format-time.ts';
import { Notice } from '../../../../ui/notice.tsx';
import { ProblemCard } from '../../../../ui/problem-card.tsx';
import { Lasting } from '../../../../ui/text/time-text.tsx';
import { ToolDifferenceView } from '../../../../ui/tool/tool-difference-view.tsx';
import type { Trial } from './trial.ts';

/** Shows how the draft works when started next to the running server. */
export function TrialPanel({ serverKey, trial }: { serverKey: string; trial: Trial }) {
  switch (trial.kind) {
    case 'running':
      return <Running since={trial.since} />;
    case 'refused':
      return <ProblemCard problem={trial.problem} about={serverKey} />;
    case 'done':
      return trial.result.ok ? (
        <Succeeded result={trial.result} />
      ) : (
        <ProblemCard
          problem={trial.result.problem}
          about={serverKey}
          open
          actions={`The trial ran for ${formatMilliseconds(trial.result.milliseconds)}. Nothing was saved or changed.`}
        />
      );
  }
}

function Running({ since }: { since: number }) {
  return (
    <Notice
      label="Trial"
      icon={<Loader size={16} />}
      title="Starting this config next to the running server…"
      text={
        <>
          <Lasting since={since} /> so far. Clients are not affected, and the trial stops afterwards.
        </>
      }
    />
  );
}

function Succeeded({ result }: { result: Extract<EntryTrial, { ok: true }> }) {
  const { serverInfo, milliseconds, tools, difference } = result;
  const who = serverInfo === undefined ? 'The server' : `${serverInfo.name} ${serverInfo.version}`;
  return (
    <Notice
      label="Trial"
      tone="quiet"
      icon={<CircleCheck size={16} color="var(--good)" />}
      title={`It works. ${who} was ready in ${formatMilliseconds(milliseconds)}, with ${formatCount(tools, 'tool')}.`}
      text="The trial has stopped. Save so that clients use this config."
    >
      <ToolDifferenceView difference={difference} />
    </Notice>
  );
}

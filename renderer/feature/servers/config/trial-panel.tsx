import { Loader } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import type { EntryTrial } from '../../../../shared/model/server-update.ts';
import { formatCount } from '../../../lib/format-amount.ts';
import { formatMilliseconds } from '../../../lib/format-time.ts';
import { Notice } from '../../../ui/notice.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { Lasting } from '../../../ui/time-text.tsx';
import { ToolDifferenceView } from '../../../ui/tool-difference-view.tsx';
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
          actions={`It ran for ${formatMilliseconds(trial.result.milliseconds)}. Nothing was saved or changed.`}
        />
      );
  }
}

function Running({ since }: { since: number }) {
  return (
    <Notice
      label="Trial"
      icon={<Loader size={16} />}
      title="Starting it next to the running server…"
      text={
        <>
          <Lasting since={since} /> so far. Clients are not affected, and it is stopped afterwards.
        </>
      }
    />
  );
}

function Succeeded({ result }: { result: Extract<EntryTrial, { ok: true }> }) {
  const { serverInfo, milliseconds, tools, difference } = result;
  const who = serverInfo === undefined ? 'It' : `${serverInfo.name} ${serverInfo.version}`;
  return (
    <Notice
      label="Trial"
      tone="quiet"
      icon={<CircleCheck size={16} color="var(--good)" />}
      title={`It works. ${who} was ready in ${formatMilliseconds(milliseconds)}, with ${formatCount(tools, 'tool')}.`}
      text="It was stopped again. Save to make clients use it."
    >
      <ToolDifferenceView difference={difference} />
    </Notice>
  );
}

import { Button, Group } from '@mantine/core';
import { FolderOpen, PlugZap } from 'lucide-react';
import { useState } from 'react';
import type { Problem } from '../../../shared/error/problem.ts';
import { runAppCall } from '../../command/app/app-actions.ts';
import { useModel } from '../../store/model-context.tsx';
import { ProblemCard } from '../../ui/problem-card.tsx';
import classes from './full-page.module.css';

/**
 * Replaces the views while another hub owns the data folder, since they would be empty and could do nothing.
 */
export function HubElsewhere({ problem }: { problem: Problem }) {
  const model = useModel();
  const [isAsked, setAsked] = useState(false);
  const [refusal, setRefusal] = useState<Problem>();
  const pid = problem.evidence.find(({ label }) => label === 'pid')?.value;
  const takeOver = async () => {
    setAsked(true);
    setRefusal(undefined);
    const answer = await model.link.call('app.takeOver', undefined);
    setAsked(false);
    if (!answer.ok) setRefusal(answer.problem);
  };
  return (
    <main className={classes.page}>
      <h1 className={classes.title}>Patchbay is already running without a window</h1>
      <p>
        A client started it, or <code>patchbay serve</code> did
        {pid === undefined ? '' : ` (process ${pid})`}. It uses the same data folder. This window can take
        over: calls in progress finish first, clients reconnect, and servers and settings stay as they are.
      </p>
      <Group gap="sm">
        <Button
          leftSection={<PlugZap size={14} aria-hidden />}
          loading={isAsked}
          onClick={() => void takeOver()}
          data-autofocus
        >
          Take over
        </Button>
        <Button
          variant="default"
          leftSection={<FolderOpen size={14} aria-hidden />}
          onClick={() => void runAppCall(model, 'app.openDataFolder')}
        >
          Open the data folder
        </Button>
      </Group>
      <p role="status" className="dim tiny">
        {isAsked
          ? 'Waiting for its calls to finish, up to 30 seconds.'
          : 'If the other one stops, this window takes over.'}
      </p>
      {refusal !== undefined && <ProblemCard problem={refusal} about="the other Patchbay" open />}
    </main>
  );
}

import { Button, Skeleton } from '@mantine/core';
import { HeartPulse } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand/react';
import { createStore } from 'zustand/vanilla';
import type { ServerHealth } from '../../../../shared/model/server/health.ts';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import { checkHealth } from '../../../command/server/server-actions.ts';
import { isRunning } from '../../../lib/server/server-status.ts';
import { formatPercent } from '../../../lib/text/format-amount.ts';
import { formatMilliseconds } from '../../../lib/text/format-time.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Section } from '../../../ui/facts.tsx';
import { Figure, Figures } from '../../../ui/figures.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { Ago } from '../../../ui/text/time-text.tsx';
import { HealthChart } from './health-chart.tsx';
import classes from './health-section.module.css';
import { followHealth, type HealthStore } from './health-store.ts';
import { checkText } from './health-text.ts';

/** Shows the last health check and the half hour before it. */
export function HealthSection({ server }: { server: ServerView }) {
  const { samples, loading, problem } = useStore(useFollowedHealth(server.key));
  const running = isRunning(server);
  // A stopped server has no health, but its history still shows why it stopped.
  if (!running && samples.length === 0) return null;
  return (
    <Section title="Health" aside={running && <CheckNow serverKey={server.key} />}>
      {problem !== undefined && <ProblemCard problem={problem} about={server.key} />}
      <div className={classes.card}>
        {server.health !== undefined && <HealthFigures health={server.health} />}
        {loading && <Skeleton height={190} radius={0} />}
        {!loading && problem === undefined && samples.length === 0 && (
          <p className={classes.empty}>History starts with the first check, within 30 s.</p>
        )}
        {samples.length > 0 && <HealthChart samples={samples} />}
      </div>
    </Section>
  );
}

function CheckNow({ serverKey }: { serverKey: string }) {
  const model = useModel();
  const [busy, setBusy] = useState(false);
  async function check(): Promise<void> {
    setBusy(true);
    await checkHealth(model, serverKey);
    setBusy(false);
  }
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      leftSection={<HeartPulse size={13} aria-hidden />}
      loading={busy}
      onClick={() => void check()}
    >
      Check now
    </Button>
  );
}

const emptyStore: HealthStore = createStore(() => ({ samples: [], loading: true }));

function useFollowedHealth(serverKey: string): HealthStore {
  const { link } = useModel();
  const [store, setStore] = useState(emptyStore);
  useEffect(() => {
    const followed = followHealth(link, serverKey);
    setStore(followed.store);
    return followed.stop;
  }, [link, serverKey]);
  return store;
}

/** Shows the four key figures of a server's health. */
function HealthFigures({ health }: { health: ServerHealth }) {
  const { responseMs, errorRate, misses, lastCheckAt, by } = health;
  return (
    <Figures>
      <Figure label="Response" note="median of 5 minutes">
        {responseMs === undefined ? '–' : formatMilliseconds(responseMs)}
      </Figure>
      <Figure label="Failed calls" note="in the last 5 minutes" tone={errorRate >= 0.1 ? 'bad' : undefined}>
        {errorRate === 0 ? 'None' : formatPercent(errorRate * 100)}
      </Figure>
      <Figure label="Missed checks" note="restarts after 3 in a row" tone={misses > 0 ? 'bad' : undefined}>
        {misses === 0 ? 'None' : `${misses} of 3`}
      </Figure>
      <Figure label="Last check" note={checkText(by)}>
        <Ago at={lastCheckAt} />
      </Figure>
    </Figures>
  );
}

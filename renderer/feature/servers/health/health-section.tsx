import { Button, Skeleton } from '@mantine/core';
import { HeartPulse } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand/react';
import { createStore } from 'zustand/vanilla';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import { checkHealth } from '../../../command/server/server-actions.ts';
import { isRunning } from '../../../lib/server/server-status.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Section } from '../../../ui/facts.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { HealthChart } from './health-chart.tsx';
import { HealthFigures } from './health-figures.tsx';
import classes from './health-section.module.css';
import { followHealth, type HealthStore } from './health-store.ts';

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

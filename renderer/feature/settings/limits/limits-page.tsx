import { Button, Loader } from '@mantine/core';
import type { LimitName, LimitView } from '../../../../shared/model/hub/limits.ts';
import { type Limits, useLimits } from '../../../store/hook/engine-hooks.ts';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { SettingsHeader } from '../settings-header.tsx';
import view from '../settings-view.module.css';
import { LimitRow } from './limit-row.tsx';
import classes from './limits.module.css';

/** Lists the configurable limits in groups, each with its default and the source of its value. */
export function LimitsPage() {
  const { state, reload, set } = useLimits();
  return (
    <>
      <SettingsHeader page="limits" />
      <ScrollRegion label="Limits list" className={view.scroll}>
        {state.kind === 'loading' && (
          <div role="status" className={classes.loading}>
            <Loader size="sm" aria-hidden />
            <span className="visually-hidden">Loading the limits</span>
          </div>
        )}
        {state.kind === 'failed' && (
          <ProblemCard
            problem={state.problem}
            about="Limits"
            actions={<Button onClick={reload}>Try again</Button>}
          />
        )}
        {state.kind === 'known' &&
          groups.map(({ title, names }) => (
            <LimitGroup
              key={title}
              title={title}
              limits={state.value.filter(({ name }) => names.includes(name))}
              onSet={set}
            />
          ))}
      </ScrollRegion>
    </>
  );
}

const groups: readonly { readonly title: string; readonly names: readonly LimitName[] }[] = [
  {
    title: 'Retries and timeouts',
    names: ['invocationTimeoutMs', 'retryMaxAttempts', 'retryBaseMs', 'retryFactor', 'retryMaxDelayMs'],
  },
  {
    title: 'Pausing failing tools',
    names: ['circuitFailureThreshold', 'circuitCooldown', 'circuitHalfOpenMax'],
  },
  { title: 'Access', names: ['tokenTtlMinutes', 'authCacheTtl'] },
  { title: 'Audit log', names: ['auditRetentionDays'] },
];

interface LimitGroupProps {
  readonly title: string;
  readonly limits: readonly LimitView[];
  readonly onSet: Limits['set'];
}

function LimitGroup({ title, limits, onSet }: LimitGroupProps) {
  return (
    <section className={view.group} aria-label={title}>
      <h2 className={view.title}>{title}</h2>
      <div className={view.rows}>
        {limits.map((limit) => (
          <LimitRow key={limit.name} limit={limit} onSet={onSet} />
        ))}
      </div>
    </section>
  );
}

import { SegmentedControl } from '@mantine/core';
import { useStore } from 'zustand/react';
import type { MetricsScope } from '../../../store/activity-store.ts';
import { useModel, useTitleOf } from '../../../store/model-context.tsx';
import view from '../activity-view.module.css';
import classes from './metrics.module.css';
import { spans } from './spans.ts';

/** Chooses the period and the scope. */
export function ScopeBar() {
  const { activity } = useModel();
  const { metricsScope: scope, metricsSpan: span } = useStore(activity);
  const titleOf = useTitleOf();
  const go = (metricsScope: MetricsScope) => activity.setState({ metricsScope });
  const { serverKey, tool } = scope;
  return (
    <div className={`row ${view.filters}`}>
      <SegmentedControl
        size="xs"
        aria-label="Time"
        value={String(span)}
        onChange={(next) => activity.setState({ metricsSpan: Number(next) })}
        data={spans.map(({ label, milliseconds }) => ({ value: String(milliseconds), label }))}
      />
      <nav aria-label="Scope" className={`row ${classes.path}`}>
        <Step label="All servers" isLast={serverKey === undefined} onClick={() => go({})} />
        {serverKey !== undefined && (
          <>
            <span aria-hidden>/</span>
            <Step label={titleOf(serverKey)} isLast={tool === undefined} onClick={() => go({ serverKey })} />
          </>
        )}
        {tool !== undefined && (
          <>
            <span aria-hidden>/</span>
            <Step label={tool} isLast onClick={() => undefined} />
          </>
        )}
      </nav>
    </div>
  );
}

function Step({ label, isLast, onClick }: { label: string; isLast: boolean; onClick: () => void }) {
  if (isLast) return <strong aria-current="page">{label}</strong>;
  return (
    <button type="button" className={`bare ${view.link}`} onClick={onClick}>
      {label}
    </button>
  );
}

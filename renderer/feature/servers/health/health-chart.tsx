import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useMemo, useState } from 'react';
import type { HealthSample } from '../../../../shared/model/server/health.ts';
import { useModel } from '../../../store/model-context.tsx';
import chart from '../../../ui/chart.module.css';
import { type ChartRange, chartRange, columnOf, sampleAt } from './chart-geometry.ts';
import { ChartPlot, plotSize } from './chart-plot.tsx';
import classes from './health-chart.module.css';
import { historyText, sampleText } from './health-text.ts';

/**
 * Charts response time and failed calls of the last half hour. Spans are read with the pointer or the arrow
 * keys (a slider to screen readers); otherwise the caption summarizes the history.
 */
export function HealthChart({ samples }: { samples: readonly HealthSample[] }) {
  const { ticker } = useModel();
  const { ref, width } = useElementSize<HTMLDivElement>();
  const [chosen, setChosen] = useState<number>();
  const range = useMemo(() => chartRange(samples, ticker.now()), [samples, ticker]);
  const index = chosen === undefined ? undefined : Math.min(chosen, samples.length - 1);
  const shown = index === undefined ? undefined : samples[index];
  const plotWidth = Math.max(0, width - plotSize.left);
  function follow(event: PointerEvent): void {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - plotSize.left;
    setChosen(sampleAt(Math.max(0, x), samples, range, plotWidth));
  }
  return (
    <figure className={classes.figure}>
      <div
        ref={ref}
        className={chart.frame}
        onPointerMove={follow}
        onPointerLeave={() => setChosen(undefined)}
      >
        <Reader samples={samples} minutes={range.minutes} index={index} onChange={setChosen} />
        {plotWidth > 0 && (
          <ChartPlot samples={samples} range={range} width={plotWidth}>
            {shown !== undefined && <Cursor sample={shown} range={range} width={plotWidth} />}
          </ChartPlot>
        )}
      </div>
      <figcaption className={chart.caption}>
        {shown === undefined ? historyText(samples, range.span) : sampleText(shown)}
      </figcaption>
    </figure>
  );
}

interface ReaderProps {
  readonly samples: readonly HealthSample[];
  readonly minutes: number;
  readonly index: number | undefined;
  readonly onChange: (index: number | undefined) => void;
}

/** An invisible slider over the chart that selects a span. */
function Reader({ samples, minutes, index, onChange }: ReaderProps) {
  const last = samples.length - 1;
  const at = index ?? last;
  const sample = samples[at];
  return (
    <input
      type="range"
      className={chart.reader}
      aria-label={`Health over the last ${minutes} minutes`}
      aria-valuetext={sample === undefined ? '' : sampleText(sample)}
      min={0}
      max={last}
      value={at}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
      onBlur={() => onChange(undefined)}
    />
  );
}

function Cursor({ sample, range, width }: { sample: HealthSample; range: ChartRange; width: number }) {
  const column = columnOf(sample, range, width);
  return (
    <rect
      className={chart.cursor}
      x={column.x}
      y={0}
      width={column.width}
      height={plotSize.plot + plotSize.gap + plotSize.errors}
    />
  );
}

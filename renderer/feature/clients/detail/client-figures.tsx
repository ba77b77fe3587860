import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ClientDetail, ClientWeight } from '../../../../shared/model/client/client-detail.ts';
import type { EngineState } from '../../../store/hook/use-engine.ts';
import classes from './client-detail.module.css';

interface ClientFiguresProps {
  readonly detail: ClientDetail;
  readonly weight: EngineState<ClientWeight>;
}

/** Shows the client's numbers against its limits. */
export function ClientFigures({ detail, weight }: ClientFiguresProps) {
  const { tools, toolCap, longestName } = detail;
  const longest = Math.max(0, ...tools.map(({ wireName }) => wireName.length));
  const unused = tools.filter(({ calls }) => calls === 0);
  return (
    <dl className={classes.figures}>
      <Figure label="Tools" bad={toolCap !== undefined && tools.length > toolCap}>
        {tools.length.toLocaleString('en')}
        <Limit of={toolCap} />
      </Figure>
      <Figure label="Estimated tokens in the list">
        <Tokens weight={weight} names={tools.map(({ wireName }) => wireName)} />
      </Figure>
      <Figure label={unusedLabel(detail)}>
        {unused.length.toLocaleString('en')}
        <span className={classes.limit}>
          {' '}
          <Tokens weight={weight} names={unused.map(({ wireName }) => wireName)} unit />
        </span>
      </Figure>
      <Figure label="Longest name" bad={longestName !== undefined && longest > longestName}>
        {longest}
        <Limit of={longestName} />
      </Figure>
    </dl>
  );
}

/** Names the period in which calls were counted: thirty days, or fewer at first. */
function unusedLabel({ countedSince }: ClientDetail): string {
  const days = countedSince === undefined ? 0 : Math.ceil((Date.now() - countedSince) / 86_400_000);
  return days <= 1 ? 'Not used today' : `Not used in ${days} days`;
}

function Limit({ of }: { of: number | undefined }) {
  return of === undefined ? null : <span className={classes.limit}> of {of}</span>;
}

interface TokensProps {
  readonly weight: EngineState<ClientWeight>;
  readonly names: readonly string[];
  readonly unit?: boolean;
}

function Tokens({ weight, names, unit = false }: TokensProps) {
  if (weight.kind === 'loading') return <Loader size={12} role="status" aria-label="Estimating tokens" />;
  if (weight.kind === 'failed') return <span title={weight.problem.sentence}>unknown</span>;
  const total = names.reduce((sum, name) => sum + (weight.value.byName[name] ?? 0), 0);
  return (
    <span title="An estimate: a whole list is usually within 5% of what GPT models count. Other models differ.">
      {total.toLocaleString('en')}
      {unit && ' tokens'}
    </span>
  );
}

function Figure({ label, bad = false, children }: { label: string; bad?: boolean; children: ReactNode }) {
  return (
    <div data-bad={bad}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

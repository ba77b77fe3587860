import { Loader } from '@mantine/core';
import type { ClientDetail, ClientWeight } from '../../../../shared/model/client/client-detail.ts';
import type { EngineState } from '../../../store/hook/use-engine.ts';
import { Figure, Figures, FigureUnit } from '../../../ui/figures.tsx';
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
    <div className={classes.figures}>
      <Figures>
        <Figure label="Tools" tone={toolCap !== undefined && tools.length > toolCap ? 'warning' : undefined}>
          {tools.length.toLocaleString('en')}
          <Limit of={toolCap} />
        </Figure>
        <Figure label="Estimated tokens in the list">
          <Tokens weight={weight} names={tools.map(({ wireName }) => wireName)} />
        </Figure>
        <Figure label={unusedLabel(detail)}>
          {unused.length.toLocaleString('en')}
          <FigureUnit>
            {' '}
            <Tokens weight={weight} names={unused.map(({ wireName }) => wireName)} unit />
          </FigureUnit>
        </Figure>
        <Figure
          label="Longest name"
          tone={longestName !== undefined && longest > longestName ? 'warning' : undefined}
        >
          {longest}
          <Limit of={longestName} />
        </Figure>
      </Figures>
    </div>
  );
}

/** Names the period in which calls were counted: thirty days, or fewer at first. */
function unusedLabel({ countedSince }: ClientDetail): string {
  const days = countedSince === undefined ? 0 : Math.ceil((Date.now() - countedSince) / 86_400_000);
  return days <= 1 ? 'Not used today' : `Not used in ${days} days`;
}

function Limit({ of }: { of: number | undefined }) {
  return of === undefined ? null : <FigureUnit> of {of}</FigureUnit>;
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

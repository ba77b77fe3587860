import { Loader, Switch } from '@mantine/core';
import { useStore } from 'zustand/react';
import type { ClientDetail, ClientWeight } from '../../../../shared/model/client/client-detail.ts';
import { saveCompact, switchClientCompact } from '../../../command/client/compact-actions.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import type { EngineState } from '../../../store/hook/use-engine.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Figure, Figures, FigureUnit } from '../../../ui/figures.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import classes from './compact.module.css';
import { CompactForm } from './compact-form.tsx';
import { compactVerdict, rounded } from './compact-verdict.ts';

interface CompactPartProps {
  readonly detail: ClientDetail;
  readonly weight: EngineState<ClientWeight>;
}

/**
 * Shows compact mode of one client: the savings estimated for its own list, and what the short list contains.
 */
export function CompactPart({ detail, weight }: CompactPartProps) {
  const model = useModel();
  const { by, settings } = detail.compact;
  return (
    <ScrollRegion label="Compact mode" className={`pane ${classes.part}`}>
      <p className={classes.text}>
        Instead of every tool, the client gets three that find, describe and call all others. The same access
        rules, approvals and results apply.
      </p>
      <Saving detail={detail} weight={weight} />
      <CompactState detail={detail} />
      {by !== undefined && (
        <CompactForm
          settings={settings}
          onChange={(next) => void saveCompact(model, { of: 'client', name: detail.name }, next)}
        />
      )}
    </ScrollRegion>
  );
}

function CompactState({ detail }: { detail: ClientDetail }) {
  const model = useModel();
  const { by } = detail.compact;
  const profile = useStore(model.mirrors.profiles, ({ clients }) => clients[detail.name]);
  if (by === 'entry') return <p className="dim small">On, set by the client’s own config.</p>;
  return (
    <Switch
      size="sm"
      label={by === 'profile' ? `Compact mode (set by profile ${profile ?? ''})` : 'Compact mode'}
      checked={by !== undefined}
      onChange={(event) =>
        void switchClientCompact(model, { name: detail.name, profile }, event.currentTarget.checked)
      }
    />
  );
}

function Saving({ detail, weight }: CompactPartProps) {
  if (weight.kind === 'failed') return <p className="dim small">{weight.problem.sentence}</p>;
  if (weight.kind === 'loading')
    return <Loader size={14} role="status" aria-label="Estimating what it saves" />;
  const { whole, short, perTool } = weight.value.compact;
  const { pays, sentence } = compactVerdict(detail, weight.value.compact);
  return (
    <>
      <Figures isPlain>
        <Tokens label={`Full list, ${formatCount(detail.compact.tools, 'tool')}`}>{whole}</Tokens>
        <Tokens label="Short list">{short}</Tokens>
        <Tokens label="To find and read one tool">{perTool}</Tokens>
      </Figures>
      <p className={classes.verdict} data-pays={pays}>
        {sentence}
      </p>
    </>
  );
}

function Tokens({ label, children }: { label: string; children: number }) {
  return (
    <Figure label={label}>
      {rounded(children)} <FigureUnit>tokens, estimated</FigureUnit>
    </Figure>
  );
}

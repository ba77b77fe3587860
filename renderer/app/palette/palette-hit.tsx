import { Spotlight } from '@mantine/spotlight';
import { FileText, MessageSquareText, Wrench } from 'lucide-react';
import { useStore } from 'zustand/react';
import type { SearchHit, SearchKind } from '../../../shared/model/tool/search.ts';
import { openHit } from '../../command/tool/search-actions.ts';
import { hiddenReasons, rangesOf } from '../../lib/text/match-ranges.ts';
import { useModel, useServers } from '../../store/model-context.tsx';
import { setPalette } from '../../store/view-store.ts';
import { Tag } from '../../ui/tag.tsx';
import { RangedText } from '../../ui/text/ranged-text.tsx';
import { ServerOfHit } from '../../ui/text/server-of-hit.tsx';
import { ToolTraits } from '../../ui/tool/tool-page.tsx';
import classes from './palette.module.css';

const icons = { tool: Wrench, prompt: MessageSquareText, resource: FileText } as const satisfies Readonly<
  Record<SearchKind, unknown>
>;

/** Shows a search hit with its server, its state and the reason for the match. */
export function PaletteHit({ hit, isMeaningUsed }: { hit: SearchHit; isMeaningUsed: boolean }) {
  const model = useModel();
  const Icon = icons[hit.kind];
  function run(): void {
    setPalette(model.view, false);
    openHit(model, hit);
  }
  return (
    <Spotlight.Action className={`row ${classes.action}`} onClick={run}>
      <Icon size={15} strokeWidth={1.8} aria-hidden />
      <span className="truncate grow">
        <RangedText text={hit.name} ranges={rangesOf(hit, 'name')} />
        <span className={classes.server}>
          <ServerOfHit hit={hit} />
        </span>
        <span className={classes.why}>
          <Why hit={hit} isMeaningUsed={isMeaningUsed} />
        </span>
      </span>
      <States hit={hit} />
    </Spotlight.Action>
  );
}

/** Shows the reason only if the name itself does not. */
function Why({ hit, isMeaningUsed }: { hit: SearchHit; isMeaningUsed: boolean }) {
  const described = rangesOf(hit, 'description');
  if (rangesOf(hit, 'name').length > 0) return null;
  const titled = rangesOf(hit, 'title');
  if (titled.length > 0) return <RangedText text={hit.title ?? ''} ranges={titled} />;
  if (described.length > 0) return <RangedText text={hit.description ?? ''} ranges={described} />;
  const reasons = hiddenReasons(hit, isMeaningUsed);
  return reasons === '' ? null : `found by ${reasons}`;
}

function States({ hit }: { hit: SearchHit }) {
  const { kind, serverKey, name } = hit;
  const tool = useStore(useModel().mirrors.tools, (tools) =>
    kind === 'tool' ? tools[serverKey]?.find((one) => one.name === name) : undefined,
  );
  const isServerOn = useServers(({ byKey }) => byKey[serverKey]?.enabled ?? true);
  return (
    <>
      {tool !== undefined && <ToolTraits tool={tool} />}
      {kind !== 'tool' && <Tag>{kind}</Tag>}
      {!isServerOn && <Tag>server off</Tag>}
      {isServerOn && tool?.enabled === false && <Tag>off</Tag>}
    </>
  );
}

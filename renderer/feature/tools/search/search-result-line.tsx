import { Switch } from '@mantine/core';
import { FileText, MessageSquareText } from 'lucide-react';
import { useStore } from 'zustand/react';
import type { SearchHit } from '../../../../shared/model/tool/search.ts';
import type { ToolSummary } from '../../../../shared/model/tool/tool.ts';
import { setToolsEnabled } from '../../../command/tool/tool-actions.ts';
import { hiddenReasons, rangesOf, snippet } from '../../../lib/text/match-ranges.ts';
import { useModel, useServers, useServerTitle, useToolSwitch } from '../../../store/model-context.tsx';
import type { RowPlace } from '../../../ui/list/virtual-list.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { RangedText } from '../../../ui/text/ranged-text.tsx';
import { ServerOfHit } from '../../../ui/text/server-of-hit.tsx';
import { ToolTraits } from '../../../ui/tool/tool-page.tsx';
import classes from './search-results.module.css';

interface SearchResultLineProps {
  readonly hit: SearchHit;
  readonly heading?: string | undefined;
  readonly position: RowPlace;
  readonly isSemantic: boolean;
  readonly open: boolean;
  readonly onOpen: (hit: SearchHit) => void;
}

/** Shows one result: what it is, its server, and why it was found. */
export function SearchResultLine({
  hit,
  heading,
  position,
  isSemantic,
  open,
  onOpen,
}: SearchResultLineProps) {
  const tool = useToolOf(hit);
  const isOn = useToolSwitch(tool);
  return (
    <li
      className={`list-row row ${classes.line}`}
      data-open={open}
      data-headed={heading !== undefined}
      {...position.line}
    >
      {heading !== undefined && <h2 className={classes.heading}>{heading}</h2>}
      <div className="grow">
        <div className={classes.first}>
          <KindIcon kind={hit.kind} />
          <button
            type="button"
            className={`truncate bare row-opener tool-name ${classes.name}`}
            data-row={position.index}
            data-off={!isOn}
            aria-current={open ? 'true' : undefined}
            onClick={() => onOpen(hit)}
          >
            <RangedText text={hit.name} ranges={rangesOf(hit, 'name')} />
          </button>
          <span className={`truncate ${classes.server}`}>
            <ServerOfHit hit={hit} />
          </span>
          <States hit={hit} tool={tool} isOn={isOn} />
        </div>
        <MatchReason hit={hit} isSemantic={isSemantic} />
      </div>
      {hit.kind === 'tool' && <UseSwitch tool={tool} isOn={isOn} />}
    </li>
  );
}

function UseSwitch({ tool, isOn }: { tool: ToolSummary; isOn: boolean }) {
  const model = useModel();
  const title = useServerTitle(tool.serverKey);
  return (
    <Switch
      className="above-opener"
      checked={isOn}
      aria-label={`${tool.name} of ${title} is on`}
      onChange={(event) => void setToolsEnabled(model, [tool], event.currentTarget.checked)}
    />
  );
}

/** Highlights the matching words; names the other reasons in text. */
function MatchReason({ hit, isSemantic }: { hit: SearchHit; isSemantic: boolean }) {
  const titled = rangesOf(hit, 'title');
  const described = snippet(hit.description ?? '', rangesOf(hit, 'description'));
  const reasons = hiddenReasons(hit, isSemantic);
  const isTitleShown = hit.title !== undefined && (titled.length > 0 || described.text === '');
  return (
    <p className={classes.second}>
      <span className={`truncate ${classes.description}`}>
        {isTitleShown && <RangedText text={hit.title ?? ''} ranges={titled} />}
        {isTitleShown && described.text !== '' && ': '}
        <RangedText {...described} />
      </span>
      {reasons !== '' && <span className={`truncate ${classes.reason}`}>Found by {reasons}</span>}
    </p>
  );
}

function States({ hit, tool, isOn }: { hit: SearchHit; tool: ToolSummary; isOn: boolean }) {
  const isServerOn = useServers(({ byKey }) => byKey[hit.serverKey]?.enabled ?? true);
  return (
    <>
      {hit.kind === 'tool' && <ToolTraits tool={tool} />}
      {hit.kind !== 'tool' && <Tag>{hit.kind}</Tag>}
      {!isServerOn && <Tag title="Its server is turned off, so no client gets it.">server off</Tag>}
      {isServerOn && !isOn && <Tag title="Turned off: no client gets this tool.">off</Tag>}
    </>
  );
}

function KindIcon({ kind }: Pick<SearchHit, 'kind'>) {
  if (kind === 'tool') return null;
  const Icon = kind === 'prompt' ? MessageSquareText : FileText;
  return <Icon className="fixed dim" size={13} aria-hidden />;
}

/** Returns the tool from the window's own data, which is newer than the search result. */
function useToolOf({ kind, serverKey, name, enabled, risk }: SearchHit): ToolSummary {
  const known = useStore(useModel().mirrors.tools, (tools) =>
    kind === 'tool' ? tools[serverKey]?.find((tool) => tool.name === name) : undefined,
  );
  return (
    known ?? {
      serverKey,
      name,
      enabled: kind === 'tool' ? enabled : true,
      readOnly: risk === 'read-only',
      destructive: risk === 'destructive',
    }
  );
}

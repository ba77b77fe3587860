import { Skeleton } from '@mantine/core';
import { PackageOpen } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { SkillsView, ToolSkills } from '../../../../shared/model/tool/skill.ts';
import { unclassified } from '../../../command/tool/skill-actions.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { matchesWords, queryWords } from '../../../lib/text/match-words.ts';
import { useSkillTools } from '../../../store/hook/engine-hooks.ts';
import { useView } from '../../../store/model-context.tsx';
import { toolId } from '../../../store/tool-id.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SearchField } from '../../../ui/list/search-field.tsx';
import { SplitView } from '../../../ui/list/split-view.tsx';
import { useRowFocus } from '../../../ui/list/use-row-focus.ts';
import { VirtualList } from '../../../ui/list/virtual-list.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { useOpenTool } from '../use-open-tool.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { SkillToolLine } from './skill-tool-line.tsx';
import classes from './skills.module.css';

interface SkillToolsProps {
  readonly view: SkillsView;
  /** Id of a skill, or `unclassified`. */
  readonly skillId: string;
  /** Called when a drag starts or ends. */
  readonly onDrag: (tool: ToolSkills | undefined) => void;
}

/** Lists the tools of one skill, highest confidence first, or those without a skill. */
export function SkillTools({ view, skillId: place, onDrag }: SkillToolsProps) {
  const isRest = place === unclassified;
  const state = useSkillTools(isRest ? undefined : place);
  const [query, setQuery] = useState('');
  const [moving, setMoving] = useState<ToolSkills>();
  const tools = useMemo(
    () => (state.kind === 'known' ? sorted(state.value.tools, isRest ? undefined : place) : []),
    [state, place, isRest],
  );
  const words = queryWords(query);
  const shown =
    words.length === 0
      ? tools
      : tools.filter(({ serverKey, name }) => matchesWords(`${serverKey} ${name}`.toLowerCase(), words));
  const skill = view.skills.find(({ id }) => id === place);
  const page = useOpenTool();
  const kept = useRowFocus(shown);
  const list = (
    <>
      <header className={`row ${classes.head}`}>
        <h2 className={classes.title}>{skill?.name ?? 'Not classified'}</h2>
        <SearchField label="Search these tools" width={190} value={query} onChange={setQuery} />
        <p className={classes.about}>
          {skill?.description ?? 'These tools have no skill yet. Search still finds them by their words.'}{' '}
          {state.kind === 'known' && `${formatCount(tools.length, 'tool')}. `}
          {tools.length > 0 && 'Drag one onto another skill, or use its menu.'}
        </p>
      </header>
      {state.kind === 'loading' && <Skeleton height={120} radius={8} m={20} aria-label="Loading the tools" />}
      {state.kind === 'failed' && <ProblemCard problem={state.problem} about="skills" />}
      {state.kind === 'known' && shown.length === 0 && <None isSearch={words.length > 0} isRest={isRest} />}
      {shown.length > 0 && (
        <SkillToolList tools={shown} view={view} skill={skill?.id} onDrag={onDrag} onMove={setMoving} />
      )}
    </>
  );
  return (
    <div className={classes.tools} {...kept}>
      <SplitView fixed="detail" list={list} {...page} />
      {moving !== undefined && (
        <MoveDialog tool={moving} skills={view.skills} onClose={() => setMoving(undefined)} />
      )}
    </div>
  );
}

function None({ isSearch, isRest }: { isSearch: boolean; isRest: boolean }) {
  if (isSearch)
    return <EmptyState icon={PackageOpen} title="No matching tool" text="It may have another skill." />;
  return isRest ? (
    <EmptyState icon={PackageOpen} title="Every tool has a skill" text="Nothing left to classify." />
  ) : (
    <EmptyState
      icon={PackageOpen}
      title="No tool has this skill"
      text="Move a tool here from another skill if it belongs here."
    />
  );
}

/** Sorts by confidence, highest first; without a skill, returns the unclassified tools. */
function sorted(tools: readonly ToolSkills[], skill: string | undefined): readonly ToolSkills[] {
  if (skill === undefined) return tools.filter(({ isClassified }) => !isClassified);
  const confidence = (tool: ToolSkills) => tool.skills.find(({ id }) => id === skill)?.confidence ?? 0;
  return tools.toSorted((one, other) => confidence(other) - confidence(one));
}

interface SkillToolListProps {
  readonly tools: readonly ToolSkills[];
  readonly view: SkillsView;
  /** The skill whose tools are listed. */
  readonly skill: string | undefined;
  readonly onDrag: (tool: ToolSkills | undefined) => void;
  readonly onMove: (tool: ToolSkills) => void;
}

/** Lists tools that can be moved to other skills. */
function SkillToolList({ tools, view, skill, onDrag, onMove }: SkillToolListProps) {
  const open = useView(({ place }) => place.tool);
  return (
    <VirtualList
      label="Tools of this skill"
      rows={tools}
      heightOf={() => 44}
      keyOf={toolId}
      className="scrolls"
    >
      {(tool, place) => (
        <SkillToolLine
          tool={tool}
          skills={view.skills}
          skill={skill}
          position={place}
          isOpen={open?.name === tool.name && open.serverKey === tool.serverKey}
          onDrag={onDrag}
          onMove={onMove}
        />
      )}
    </VirtualList>
  );
}

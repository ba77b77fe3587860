import { Button, Menu, Progress, Skeleton } from '@mantine/core';
import { ChevronDown, RotateCw } from 'lucide-react';
import { useState } from 'react';
import type { SkillsView, ToolSkills } from '../../../../shared/model/tool/skill.ts';
import { classifyAgain, moveToSkill, unclassified } from '../../../command/tool/skill-actions.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { knownValue, useEngine } from '../../../store/hook/use-engine.ts';
import { useModel, useServers, useTitleOf, useView } from '../../../store/model-context.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { ToolsHeader } from '../tools-header.tsx';
import { SkillList } from './skill-list.tsx';
import { SkillTools } from './skill-tools.tsx';
import classes from './skills.module.css';
import { SuggestionList, suggestionsId } from './suggestion-list.tsx';

/** Lists tools by skill, and suggested skills to review. */
export function SkillsPage() {
  const state = useEngine('skill.view', undefined, { event: 'skills.changed' });
  const view = knownValue(state);
  return (
    <>
      <ToolsHeader page="skills" note={view && noteOf(view)}>
        <ClassifyAgain />
      </ToolsHeader>
      {state.kind === 'loading' && (
        <div className={classes.waiting}>
          <Skeleton height={180} radius={8} aria-label="Loading the skills" />
        </div>
      )}
      {state.kind === 'failed' && (
        <div className={classes.waiting}>
          <ProblemCard problem={state.problem} about="skills" />
        </div>
      )}
      {view !== undefined && <Skills view={view} />}
    </>
  );
}

function Skills({ view }: { view: SkillsView }) {
  const model = useModel();
  const chosen = useView(({ place }) => place.skill);
  const [dragged, setDragged] = useState<ToolSkills>();
  const open = chosen !== undefined && exists(view, chosen) ? chosen : largestSkill(view);
  return (
    <>
      <ClassifyProgress progress={view.progress} />
      <div className={classes.split}>
        <SkillList
          view={view}
          open={open}
          isDragging={dragged !== undefined}
          onDrop={(skill) => {
            if (dragged !== undefined) void moveToSkill(model, dragged, skill);
            setDragged(undefined);
          }}
        />
        {open === suggestionsId ? (
          <SuggestionList suggestions={view.suggestions} />
        ) : (
          <SkillTools key={open} view={view} skillId={open} onDrag={setDragged} />
        )}
      </div>
    </>
  );
}

function noteOf({ skills, suggestions }: SkillsView): string {
  const used = formatCount(skills.filter(({ tools }) => tools > 0).length, 'skill');
  return suggestions.length === 0 ? used : `${used}, ${suggestions.length} to review`;
}

function exists({ skills }: SkillsView, place: string): boolean {
  return place === unclassified || place === suggestionsId || skills.some(({ id }) => id === place);
}

/** Returns the skill with the most tools. */
function largestSkill({ skills }: SkillsView): string {
  const [most] = skills.toSorted((one, other) => other.tools - one.tools);
  return most === undefined || most.tools === 0 ? unclassified : most.id;
}

/** Classifies tools again: those of all servers or of one. */
function ClassifyAgain() {
  const model = useModel();
  const servers = useServers(({ order }) => order);
  const titleOf = useTitleOf();
  return (
    <Menu width={220}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<RotateCw size={13} aria-hidden />}
          rightSection={<ChevronDown size={13} aria-hidden />}
        >
          Classify again
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu ?? ''}>
        <Menu.Item onClick={() => void classifyAgain(model)}>Tools of all servers</Menu.Item>
        <Menu.Divider />
        {servers.map((key) => (
          <Menu.Item key={key} onClick={() => void classifyAgain(model, key)}>
            {titleOf(key)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Shows the progress of a running classification. */
function ClassifyProgress({ progress }: Pick<SkillsView, 'progress'>) {
  if (progress === undefined) return null;
  const { done, total } = progress;
  return (
    <div className={`row ${classes.progress}`}>
      <span className="numeric">
        Classifying: {done.toLocaleString('en')} of {total.toLocaleString('en')} tools
      </span>
      <Progress
        flex={1}
        size="sm"
        value={total === 0 ? 100 : (done / total) * 100}
        aria-label="Tools that have been classified"
      />
    </div>
  );
}

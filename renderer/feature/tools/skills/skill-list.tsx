import { Button } from '@mantine/core';
import { CircleHelp, Inbox } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Skill, SkillsView } from '../../../../shared/model/tool/skill.ts';
import { openSkills, unclassified } from '../../../command/tool/skill-actions.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { useModel } from '../../../store/model-context.tsx';
import { useListKeys } from '../../../ui/list/use-list-keys.ts';
import classes from './skills.module.css';
import { suggestionsId } from './suggestion-list.tsx';

interface SkillListProps {
  readonly view: SkillsView;
  readonly open: string;
  readonly isDragging: boolean;
  /** Called when a tool is dropped on this skill. */
  readonly onDrop: (skill: Skill) => void;
}

/** Lists every skill with its number of tools; tools can be dropped on any skill. */
export function SkillList({ view, open, isDragging, onDrop }: SkillListProps) {
  const { suggestions } = view;
  const [all, setAll] = useState(false);
  const skills = view.skills.filter(({ id, tools }) => all || isDragging || tools > 0 || id === open);
  const hidden = view.skills.length - skills.length;
  const offset = suggestions.length > 0 || open === suggestionsId ? 1 : 0;
  const count = offset + skills.length + 1;
  const onKeyDown = useListKeys({ count, show: () => {} });
  const entry = (id: string, index: number) => ({ id, index, isOpen: id === open });
  return (
    <div className={classes.skills}>
      <ul aria-label="Skills" data-dragging={isDragging} onKeyDown={onKeyDown}>
        {offset === 1 && (
          <Entry
            {...entry(suggestionsId, 0)}
            count={suggestions.length}
            icon={<Inbox size={14} aria-hidden />}
          >
            To review
          </Entry>
        )}
        {skills.map((skill, index) => (
          <Entry
            key={skill.id}
            {...entry(skill.id, index + offset)}
            count={skill.tools}
            title={skill.description}
            onDrop={() => onDrop(skill)}
          >
            {skill.name}
          </Entry>
        ))}
        <Entry
          {...entry(unclassified, count - 1)}
          count={view.unclassified}
          icon={<CircleHelp size={14} aria-hidden />}
        >
          Not classified
        </Entry>
      </ul>
      {(hidden > 0 || all) && (
        <Button variant="subtle" size="compact-sm" mt={6} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Hide empty skills' : `Show ${formatCount(hidden, 'empty skill')}`}
        </Button>
      )}
    </div>
  );
}

interface EntryProps {
  readonly id: string;
  readonly index: number;
  readonly isOpen: boolean;
  readonly count: number;
  readonly title?: string;
  readonly icon?: ReactNode;
  readonly onDrop?: () => void;
  readonly children: ReactNode;
}

function Entry({ id, index, isOpen, count, title, icon, onDrop, children }: EntryProps) {
  const model = useModel();
  const [isOver, setOver] = useState(false);
  return (
    <li
      data-open={isOpen}
      data-over={isOver}
      onDragOver={(event) => {
        if (onDrop === undefined) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onDrop?.();
      }}
    >
      <button
        type="button"
        className={`row bare ${classes.skill}`}
        data-row={index}
        data-none={count === 0}
        aria-current={isOpen ? 'true' : undefined}
        title={title}
        onClick={() => openSkills(model, id)}
      >
        {icon}
        <span className={`truncate ${classes.skillName}`}>{children}</span>
        <span className="dim tiny numeric">{count.toLocaleString('en')}</span>
      </button>
    </li>
  );
}

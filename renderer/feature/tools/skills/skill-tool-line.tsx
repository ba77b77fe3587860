import { ActionIcon, Menu } from '@mantine/core';
import { Ellipsis, FolderInput, PanelRightOpen, RotateCcw } from 'lucide-react';
import type { Skill, ToolSkills } from '../../../../shared/model/tool/skill.ts';
import { openTool } from '../../../command/navigate.ts';
import { releaseTool } from '../../../command/tool/skill-actions.ts';
import { useModel, useServerTitle } from '../../../store/model-context.tsx';
import type { RowPlace } from '../../../ui/list/virtual-list.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { ServerName } from '../../../ui/text/server-name.tsx';
import classes from './skills.module.css';

interface SkillToolLineProps {
  readonly tool: ToolSkills;
  readonly skills: readonly Skill[];
  readonly skill: string | undefined;
  readonly position: RowPlace;
  readonly isOpen: boolean;
  readonly onDrag: (tool: ToolSkills | undefined) => void;
  readonly onMove: (tool: ToolSkills) => void;
}

/** Shows a tool of a skill: the confidence, its other skills, and ways to correct them. */
export function SkillToolLine({ tool, skills, skill, position, isOpen, onDrag, onMove }: SkillToolLineProps) {
  const model = useModel();
  const { serverKey, name } = tool;
  return (
    <li
      className={`list-row row ${classes.line}`}
      data-open={isOpen}
      draggable
      {...position.line}
      onDragStart={(event) => {
        event.dataTransfer.setData('text/plain', name);
        event.dataTransfer.effectAllowed = 'move';
        onDrag(tool);
      }}
      onDragEnd={() => onDrag(undefined)}
    >
      <div className={classes.words}>
        <button
          type="button"
          className="truncate bare row-opener tool-name"
          data-row={position.index}
          aria-current={isOpen ? 'true' : undefined}
          onClick={() => openTool(model, { serverKey, name })}
        >
          {name}
        </button>
        <span className={classes.server}>
          <ServerName serverKey={serverKey} />
        </span>
      </div>
      <Others tool={tool} skills={skills} skill={skill} />
      <Confidence tool={tool} skill={skill} />
      <LineMenu tool={tool} onMove={onMove} />
    </li>
  );
}

/** Names the tool's other skills. */
function Others({ tool, skills, skill }: Pick<SkillToolLineProps, 'tool' | 'skills' | 'skill'>) {
  const nameOf = (id: string) => skills.find((one) => one.id === id)?.name ?? id;
  const others = tool.skills.filter(({ id }) => id !== skill).map(({ id }) => nameOf(id));
  if (others.length === 0) return null;
  return (
    <span className={`truncate ${classes.others}`} title={others.join(', ')}>
      also {others.join(', ')}
    </span>
  );
}

function Confidence({ tool, skill }: Pick<SkillToolLineProps, 'tool' | 'skill'>) {
  const share = tool.skills.find(({ id }) => id === skill);
  if (tool.by === 'person') return <Tag title="You assigned this skill. It stays.">by you</Tag>;
  if (share === undefined) return null;
  const percent = Math.round(share.confidence * 100);
  return (
    <span className="row fixed gap-8" title={`${percent}% confidence that this tool has the skill`}>
      {tool.primarySkill === skill && <Tag title="The skill that fits this tool best.">main skill</Tag>}
      <span className={classes.percent}>{percent}%</span>
      <span className={classes.meter} aria-hidden>
        <span style={{ width: `${percent}%` }} />
      </span>
    </span>
  );
}

function LineMenu({ tool, onMove }: Pick<SkillToolLineProps, 'tool' | 'onMove'>) {
  const model = useModel();
  const { serverKey, name, by } = tool;
  const title = useServerTitle(serverKey);
  return (
    <Menu width={224}>
      <Menu.Target>
        <ActionIcon className="above-opener fixed" aria-label={`Actions for ${name} of ${title}`}>
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<FolderInput size={14} aria-hidden />} onClick={() => onMove(tool)}>
          Move to skill…
        </Menu.Item>
        <Menu.Item
          leftSection={<PanelRightOpen size={14} aria-hidden />}
          onClick={() => openTool(model, { serverKey, name })}
        >
          Open
        </Menu.Item>
        {by === 'person' && (
          <Menu.Item
            leftSection={<RotateCcw size={14} aria-hidden />}
            onClick={() => void releaseTool(model, tool)}
          >
            Undo my choice
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

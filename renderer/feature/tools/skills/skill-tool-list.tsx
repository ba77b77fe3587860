import type { SkillsView, ToolSkills } from '../../../../shared/model/tool/skill.ts';
import { useView } from '../../../store/model-context.tsx';
import { toolId } from '../../../store/tool-id.ts';
import { VirtualList } from '../../../ui/list/virtual-list.tsx';
import { SkillToolLine } from './skill-tool-line.tsx';

interface SkillToolListProps {
  readonly tools: readonly ToolSkills[];
  readonly view: SkillsView;
  /** The skill whose tools are listed. */
  readonly skill: string | undefined;
  readonly onDrag: (tool: ToolSkills | undefined) => void;
  readonly onMove: (tool: ToolSkills) => void;
}

/** Lists tools that can be moved to other skills. */
export function SkillToolList({ tools, view, skill, onDrag, onMove }: SkillToolListProps) {
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

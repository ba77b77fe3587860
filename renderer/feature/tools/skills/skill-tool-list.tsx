import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { SkillsView, ToolSkills } from '../../../../shared/model/skill.ts';
import { useView } from '../../../store/model-context.tsx';
import { toolId } from '../../../store/tool-id.ts';
import { useListKeys } from '../../../ui/use-list-keys.ts';
import { SkillToolLine } from './skill-tool-line.tsx';
import classes from './skills.module.css';

interface SkillToolListProps {
  readonly tools: readonly ToolSkills[];
  readonly view: SkillsView;
  /** The one whose tools these are. */
  readonly skill: string | undefined;
  readonly onDrag: (tool: ToolSkills | undefined) => void;
  readonly onMove: (tool: ToolSkills) => void;
}

/** Tools that can be moved to other skills. Only what is on screen is drawn. */
export function SkillToolList({ tools, view, skill, onDrag, onMove }: SkillToolListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const open = useView(({ place }) => place.tool);
  const virtual = useVirtualizer({
    count: tools.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 44,
    overscan: 8,
    getItemKey: (index) => (tools[index] === undefined ? index : toolId(tools[index])),
  });
  const onKeyDown = useListKeys({ count: tools.length, show: (index) => virtual.scrollToIndex(index) });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move the focus among the buttons inside
    <div ref={scroller} className={classes.scroller} onKeyDown={onKeyDown}>
      <ul
        className={classes.rows}
        style={{ height: virtual.getTotalSize() }}
        aria-label="Tools of this skill"
      >
        {virtual.getVirtualItems().map(({ index, start, key }) => {
          const tool = tools[index];
          return (
            tool && (
              <SkillToolLine
                key={key}
                tool={tool}
                skills={view.skills}
                skill={skill}
                place={{ index, top: start, total: tools.length }}
                isOpen={open?.name === tool.name && open.serverKey === tool.serverKey}
                onDrag={onDrag}
                onMove={onMove}
              />
            )
          );
        })}
      </ul>
    </div>
  );
}

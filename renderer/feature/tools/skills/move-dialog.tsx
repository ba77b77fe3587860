import { TextInput } from '@mantine/core';
import { Check } from 'lucide-react';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { Skill, ToolSkills } from '../../../../shared/model/tool/skill.ts';
import { moveToSkill } from '../../../command/tool/skill-actions.ts';
import { matchesWords, queryWords } from '../../../lib/text/match-words.ts';
import { useModel } from '../../../store/model-context.tsx';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { focusRow, useListKeys } from '../../../ui/list/use-list-keys.ts';
import classes from './skills.module.css';

interface MoveDialogProps {
  readonly tool: ToolSkills;
  readonly skills: readonly Skill[];
  readonly onClose: () => void;
}

/** Assigns a skill by keyboard: type part of the name, Enter takes the first match. */
export function MoveDialog({ tool, skills, onClose }: MoveDialogProps) {
  const model = useModel();
  const list = useRef<HTMLUListElement>(null);
  const [query, setQuery] = useState('');
  const words = queryWords(query);
  const shown = skills.filter(({ name, description }) =>
    matchesWords(`${name} ${description}`.toLowerCase(), words),
  );
  const onKeyDown = useListKeys({ count: shown.length, show: () => {} });
  function choose(skill: Skill | undefined): void {
    if (skill === undefined) return;
    onClose();
    void moveToSkill(model, tool, skill);
  }
  function onFieldKey(event: KeyboardEvent): void {
    if (event.key === 'Enter') {
      // Otherwise the key would also press the control focused after closing.
      event.preventDefault();
      choose(shown[0]);
    }
    if (event.key !== 'ArrowDown' || list.current === null) return;
    event.preventDefault();
    focusRow(list.current, 0);
  }
  return (
    <Dialog title="Move to a skill" size={460} onClose={onClose}>
      <div className={classes.move}>
        <TextInput
          data-autofocus
          aria-label="Skill"
          placeholder="Search skills"
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          onKeyDown={onFieldKey}
        />
        <p className={classes.about}>{tool.name} keeps this skill until you undo your choice.</p>
        <div className={classes.choices}>
          <ul ref={list} aria-label="Skills to choose from" onKeyDown={onKeyDown}>
            {shown.map((skill, index) => (
              <li key={skill.id}>
                <button
                  type="button"
                  className={`bare ${classes.choice}`}
                  data-row={index}
                  onClick={() => choose(skill)}
                >
                  <span className="row gap-6 medium">
                    {skill.name}
                    {tool.skills.some(({ id }) => id === skill.id) && (
                      <Check size={13} aria-label="current skill" />
                    )}
                  </span>
                  <span className={classes.dim}>{skill.description}</span>
                </button>
              </li>
            ))}
          </ul>
          {shown.length === 0 && <p className={classes.about}>No matching skill.</p>}
        </div>
      </div>
    </Dialog>
  );
}

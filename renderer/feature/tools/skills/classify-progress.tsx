import { Progress } from '@mantine/core';
import type { SkillsView } from '../../../../shared/model/tool/skill.ts';
import classes from './skills.module.css';

/** Shows the progress of a running classification. */
export function ClassifyProgress({ progress }: Pick<SkillsView, 'progress'>) {
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

import { Button } from '@mantine/core';
import { Inbox } from 'lucide-react';
import type { SkillSuggestion } from '../../../../shared/model/skill.ts';
import { openTool } from '../../../command/navigate.ts';
import { decideSuggestion } from '../../../command/skill-actions.ts';
import { formatCount } from '../../../lib/format-amount.ts';
import { useModel } from '../../../store/model-context.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import { ServerName } from '../../../ui/server-name.tsx';
import { SplitView } from '../../../ui/split-view.tsx';
import { Tag } from '../../../ui/tag.tsx';
import { useKeptPlace } from '../../../ui/use-kept-place.ts';
import { useOpenTool } from '../use-open-tool.tsx';
import classes from './skills.module.css';

/** The name, as a place, of what is to be reviewed. */
export const suggestionsPlace = 'suggestions';

/** What is to be reviewed, and the page of a tool that is looked at for it. */
export function SuggestionList({ suggestions }: { suggestions: readonly SkillSuggestion[] }) {
  return (
    <div className={classes.tools} {...useKeptPlace(suggestions)}>
      <SplitView fixed="detail" list={<Queue suggestions={suggestions} />} {...useOpenTool()} />
    </div>
  );
}

/** Skills that seem to be missing; none of them is there before somebody has said so. */
function Queue({ suggestions }: { suggestions: readonly SkillSuggestion[] }) {
  if (suggestions.length === 0) {
    return (
      <EmptyState
        icon={Inbox}
        title="Nothing to review"
        text="When tools need a skill that is not in the list, one is suggested here."
      />
    );
  }
  return (
    <ScrollRegion label="Suggested skills" className={classes.queue}>
      <h2 className={classes.title}>Suggested skills</h2>
      <p className={classes.about}>
        These skills seem to be missing. One that you accept is given to its tools; one that you dismiss is
        not suggested again.
      </p>
      <ul className={classes.cards}>
        {suggestions.map((suggestion) => (
          <Suggestion key={suggestion.id} suggestion={suggestion} />
        ))}
      </ul>
    </ScrollRegion>
  );
}

function Suggestion({ suggestion }: { suggestion: SkillSuggestion }) {
  const model = useModel();
  const { name, description, tools, by } = suggestion;
  return (
    <li className={classes.card} aria-label={name}>
      <div className={classes.cardHead}>
        <h3 className={classes.cardTitle}>{name}</h3>
        <Tag title="Who suggests it.">{by === 'model' ? 'a model’s words' : 'from the tools’ names'}</Tag>
        <Button
          className={classes.decide ?? ''}
          variant="default"
          aria-label={`Dismiss ${name}`}
          onClick={() => void decideSuggestion(model, suggestion, 'dismiss')}
        >
          Dismiss
        </Button>
        <Button
          aria-label={`Accept ${name}`}
          onClick={() => void decideSuggestion(model, suggestion, 'accept')}
        >
          Accept
        </Button>
      </div>
      {description !== '' && <p className={classes.about}>{description}</p>}
      <p className={classes.about}>For {formatCount(tools.length, 'tool')}:</p>
      <ul className={classes.named}>
        {tools.map((tool) => (
          <li key={`${tool.serverKey}:${tool.name}`}>
            <button type="button" className={classes.link} onClick={() => openTool(model, tool)}>
              {tool.name}
            </button>{' '}
            <span className={classes.dim}>
              <ServerName serverKey={tool.serverKey} />
            </span>
          </li>
        ))}
      </ul>
    </li>
  );
}

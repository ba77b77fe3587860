import { Button } from '@mantine/core';
import { Inbox } from 'lucide-react';
import type { SkillSuggestion } from '../../../../shared/model/tool/skill.ts';
import { openTool } from '../../../command/navigate.ts';
import { decideSuggestion } from '../../../command/tool/skill-actions.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { useModel } from '../../../store/model-context.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { SplitView } from '../../../ui/list/split-view.tsx';
import { useRowFocus } from '../../../ui/list/use-row-focus.ts';
import { Tag } from '../../../ui/tag.tsx';
import { ServerName } from '../../../ui/text/server-name.tsx';
import { useOpenTool } from '../use-open-tool.tsx';
import classes from './skills.module.css';

/** Place name of the suggestions. */
export const suggestionsId = 'suggestions';

/** Lists the suggestions beside the page of an opened tool. */
export function SuggestionList({ suggestions }: { suggestions: readonly SkillSuggestion[] }) {
  return (
    <div className={classes.tools} {...useRowFocus(suggestions)}>
      <SplitView fixed="detail" list={<Queue suggestions={suggestions} />} {...useOpenTool()} />
    </div>
  );
}

/** Lists suggested skills; none is created before the user accepts it. */
function Queue({ suggestions }: { suggestions: readonly SkillSuggestion[] }) {
  if (suggestions.length === 0) {
    return (
      <EmptyState
        icon={Inbox}
        title="Nothing to review"
        text="Suggestions appear here when tools need a skill that does not exist yet."
      />
    );
  }
  return (
    <ScrollRegion label="Suggested skills" className={classes.queue}>
      <h2 className={classes.title}>Suggested skills</h2>
      <p className={classes.about}>
        These skills seem to be missing. Accepting one assigns it to its tools; dismissed ones are not
        suggested again.
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
      <div className="row wraps gap-8">
        <h3 className={classes.cardTitle}>{name}</h3>
        <Tag title="Source of the suggestion.">{by === 'model' ? 'from a model' : 'from tool names'}</Tag>
        <Button
          className="end"
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
            <button type="button" className={`bare ${classes.link}`} onClick={() => openTool(model, tool)}>
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

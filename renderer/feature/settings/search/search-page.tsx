import { Progress, Skeleton } from '@mantine/core';
import { Check } from 'lucide-react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type {
  Classifier,
  EmbeddingSource,
  SearchSettings,
  SemanticSearchState,
} from '../../../../shared/model/tool/search.ts';
import { configureSearch } from '../../../command/tool/search-actions.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { knownValue, useAnswer, useEngine } from '../../../store/hook/use-engine.ts';
import { useModel } from '../../../store/model-context.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { SettingsHeader } from '../settings-header.tsx';
import shared from '../settings-view.module.css';
import { classifierChoices, semanticSearchChoices } from './provider-choices.ts';
import { ProviderGroup } from './provider-group.tsx';
import classes from './search-page.module.css';

/**
 * Chooses the classifier of tools and the semantic search. Unless the user chooses otherwise, nothing leaves
 * the computer.
 */
export function SearchPage() {
  const { state, save } = useSearchSettings();
  return (
    <>
      <SettingsHeader page="search" />
      <ScrollRegion label="Search settings" className={shared.scroll}>
        {state.kind === 'failed' && (
          <div className={shared.group}>
            <ProblemCard problem={state.problem} about="search" />
          </div>
        )}
        {state.kind === 'loading' && (
          <Skeleton className={shared.group ?? ''} height={160} radius={8} aria-label="Loading" />
        )}
        {state.kind === 'known' && (
          <>
            <ProviderGroup<Classifier>
              title="Tool skills"
              label="Classifier"
              hint="Decides which skills each tool has. Your corrections are kept."
              part="classifier"
              choices={classifierChoices}
              source={state.value.classifier}
              onSave={(classifier) => save({ ...state.value, classifier })}
            />
            <ProviderGroup<EmbeddingSource>
              title="Semantic search"
              label="Search by meaning"
              hint="Finds tools even when you use different words. If the model is unavailable, search uses words only."
              part="meaning"
              choices={semanticSearchChoices}
              source={state.value.meaning}
              status={<SemanticSearchStatus />}
              onSave={(meaning) => save({ ...state.value, meaning })}
            />
          </>
        )}
      </ScrollRegion>
    </>
  );
}

function useSearchSettings() {
  const model = useModel();
  const [state, show] = useAnswer<SearchSettings>((link) => link.call('search.settings', undefined), []);
  async function save(next: SearchSettings): Promise<Problem | undefined> {
    const failed = await configureSearch(model, next);
    if (failed === undefined) show(next);
    return failed;
  }
  return { state, save };
}

/** Shows the status of the provider in use. */
function SemanticSearchStatus() {
  const state = knownValue(useEngine('search.meaning', undefined, { event: 'meaning.changed' }));
  if (state === undefined || state.kind === 'off') return null;
  if (state.kind === 'failed') return <ProblemCard problem={state.problem} about="Search by meaning" open />;
  return (
    <div className={classes.status}>
      <p role="status">
        {state.kind === 'ready' && <Check size={13} aria-hidden />} {stateText(state)}
      </p>
      {state.kind === 'learning' && (
        <Progress
          size="sm"
          value={(100 * state.known) / Math.max(1, state.total)}
          aria-label="Indexed texts"
        />
      )}
    </div>
  );
}

function stateText(state: Exclude<SemanticSearchState, { kind: 'off' | 'failed' }>): string {
  if (state.kind === 'resting') return 'In use. Loaded when you search.';
  const texts = formatCount(state.total, 'text');
  if (state.kind === 'ready') return `Ready: ${texts} ${state.total === 1 ? 'is' : 'are'} indexed.`;
  return `${state.known} of ${texts} indexed. The rest are found by their words.`;
}

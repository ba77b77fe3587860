import { Skeleton } from '@mantine/core';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { Classifier, EmbeddingSource, SearchSettings } from '../../../../shared/model/tool/search.ts';
import { configureSearch } from '../../../command/tool/search-actions.ts';
import { useAnswer } from '../../../store/hook/use-engine.ts';
import { useModel } from '../../../store/model-context.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { SettingsHeader } from '../settings-header.tsx';
import shared from '../settings-view.module.css';
import { classifierChoices, semanticSearchChoices } from './provider-choices.ts';
import { ProviderGroup } from './provider-group.tsx';
import { SemanticSearchStatus } from './semantic-search-status.tsx';

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

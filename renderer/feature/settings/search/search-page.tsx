import { Skeleton } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { Classifier, EmbeddingSource, SearchSettings } from '../../../../shared/model/search.ts';
import { configureSearch } from '../../../command/search-actions.ts';
import { useModel } from '../../../store/model-context.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import { SettingsHeader } from '../settings-header.tsx';
import shared from '../settings-view.module.css';
import { SemanticSearchStatus } from './meaning-status.tsx';
import { classifierChoices, semanticSearchChoices } from './provider-choices.ts';
import { ProviderGroup } from './provider-group.tsx';

/**
 * Chooses the classifier of tools and the semantic search. Unless the user chooses otherwise, nothing leaves
 * the computer.
 */
export function SearchPage() {
  const { settings, problem, save } = useSearchSettings();
  return (
    <>
      <SettingsHeader page="search" />
      <ScrollRegion label="Search settings" className={shared.scroll}>
        {problem !== undefined && (
          <div className={shared.group}>
            <ProblemCard problem={problem} about="search" />
          </div>
        )}
        {settings === undefined && problem === undefined && (
          <Skeleton className={shared.group ?? ''} height={160} radius={8} aria-label="Loading" />
        )}
        {settings !== undefined && (
          <>
            <ProviderGroup<Classifier>
              title="Tool skills"
              label="Classifier"
              hint="Decides which skills each tool has. Your corrections are kept."
              part="classifier"
              choices={classifierChoices}
              source={settings.classifier}
              onSave={(classifier) => save({ ...settings, classifier })}
            />
            <ProviderGroup<EmbeddingSource>
              title="Semantic search"
              label="Search by meaning"
              hint="Finds tools even when you use different words. If the model is unavailable, search uses words only."
              part="meaning"
              choices={semanticSearchChoices}
              source={settings.meaning}
              status={<SemanticSearchStatus />}
              onSave={(meaning) => save({ ...settings, meaning })}
            />
          </>
        )}
      </ScrollRegion>
    </>
  );
}

function useSearchSettings() {
  const model = useModel();
  const [settings, setSettings] = useState<SearchSettings>();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    let wanted = true;
    void model.link.call('search.settings', undefined).then((answer) => {
      if (!wanted) return;
      if (answer.ok) setSettings(answer.value);
      else setProblem(answer.problem);
    });
    return () => {
      wanted = false;
    };
  }, [model]);
  async function save(next: SearchSettings): Promise<Problem | undefined> {
    const failed = await configureSearch(model, next);
    if (failed === undefined) setSettings(next);
    return failed;
  }
  return { settings, problem, save };
}

import type { SearchSettingsFile } from './hub-search.ts';

/** Rules classify all tools in a moment. Unreadable settings are reported by the classification. */
export function usesRules(settings: SearchSettingsFile): Promise<boolean> {
  return settings.read().then(
    ({ classifier }) => classifier.kind === 'rules',
    () => false,
  );
}

/** Tells whether search data can be rebuilt without calling a provider. */
export function isCheapToRebuild(settings: SearchSettingsFile): Promise<boolean> {
  return settings.read().then(
    ({ classifier, meaning }) => classifier.kind === 'rules' && meaning.kind === 'off',
    () => false,
  );
}

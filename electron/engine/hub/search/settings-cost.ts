import type { SearchSettingsFile } from './hub-search.ts';

/** Rules are through with every tool in a moment. Settings that cannot be read are told by the classification. */
export function isByRules(settings: SearchSettingsFile): Promise<boolean> {
  return settings.read().then(
    ({ classifier }) => classifier.kind === 'rules',
    () => false,
  );
}

/** Whether what a search has built is built anew without asking anybody. */
export function isCheap(settings: SearchSettingsFile): Promise<boolean> {
  return settings.read().then(
    ({ classifier, meaning }) => classifier.kind === 'rules' && meaning.kind === 'off',
    () => false,
  );
}

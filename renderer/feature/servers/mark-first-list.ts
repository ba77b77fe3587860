/** Marks the moment the first list (or the word that it is empty) stands on screen; later calls do nothing. */
export function markFirstList(): void {
  requestAnimationFrame(() => {
    const known = performance.getEntriesByName('patchbay:first-list').length > 0;
    if (!known) performance.mark('patchbay:first-list');
  });
}

/** Marks when the first list (or its empty state) is on screen; later calls do nothing. */
export function markFirstList(): void {
  requestAnimationFrame(() => {
    const known = performance.getEntriesByName('patchbay:first-list').length > 0;
    if (!known) performance.mark('patchbay:first-list');
  });
}

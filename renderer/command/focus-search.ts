/** Focuses the search field of the current view, if it has one. */
export function focusSearch(page: Document): void {
  const field = page.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
}

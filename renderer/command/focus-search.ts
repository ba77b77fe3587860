/** Puts the cursor into the search field of the view on screen, if it has one. */
export function focusSearch(page: Document): void {
  const field = page.querySelector<HTMLInputElement>('main input[type="search"]');
  field?.focus();
  field?.select();
}

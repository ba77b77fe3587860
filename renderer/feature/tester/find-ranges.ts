/** Returns the ranges of a text in an element, ignoring case, up to a maximum. */
export function findRanges(element: HTMLElement, query: string): readonly Range[] {
  const needle = query.toLowerCase();
  const found: Range[] = [];
  if (needle.trim() === '') return found;
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null && found.length < maxRanges; node = nodes.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase();
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + needle.length);
      found.push(range);
      if (found.length === maxRanges) break;
    }
  }
  return found;
}

const maxRanges = 5_000;

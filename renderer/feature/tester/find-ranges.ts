/** Returns the ranges of a text in an element, ignoring case, up to a maximum. */
export function findRanges(element: HTMLElement, query: string): readonly Range[] {
  const sought = query.toLowerCase();
  const found: Range[] = [];
  if (sought.trim() === '') return found;
  const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null && found.length < mostRanges; node = nodes.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase();
    for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + sought.length)) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + sought.length);
      found.push(range);
      if (found.length === mostRanges) break;
    }
  }
  return found;
}

const mostRanges = 5_000;

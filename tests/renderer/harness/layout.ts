/**
 * Lists what a user cannot see or reach, measured in the page: parts beyond the window or clipped by a box,
 * and truncated button labels. Scrolling parts show their content.
 */
export function layoutFaults(): string[] {
  const faults = new Set<string>();
  const { innerWidth, innerHeight } = window;
  if (document.documentElement.scrollWidth > innerWidth) faults.add('the page scrolls sideways');
  const controls = 'button, a[href]:not([href^="#"]), input:not([type=hidden]), select, textarea, h1, h2, h3';
  const worded =
    '.mantine-Button-root, .mantine-SegmentedControl-label, [role=tab], nav > button, nav > ul button';
  for (const element of document.body.querySelectorAll(controls)) {
    if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    // Hidden on purpose: read by screen readers, or drawn by the adjacent label.
    if (element.closest('.visually-hidden, [aria-hidden=true]') !== null || isOverlaid(element)) continue;
    const box = element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2) continue;
    const beyond = hiddenBy(element, box);
    if (beyond !== undefined) faults.add(`${nameOf(element)} is cut ${beyond}`);
  }
  for (const button of document.body.querySelectorAll(worded)) {
    for (const part of [button, ...button.querySelectorAll('*')])
      if (cutsItsText(part)) faults.add(`the words of ${nameOf(button)} are cut`);
  }
  for (const element of document.body.querySelectorAll('*')) {
    const { overflowX } = getComputedStyle(element);
    const scrolls =
      (overflowX === 'auto' || overflowX === 'scroll') && element.scrollWidth > element.clientWidth + 1;
    if (scrolls && element.closest('pre, .cm-editor, [data-scrolls-sideways]') === null)
      faults.add(`${nameOf(element)} scrolls sideways`);
  }
  return [...faults];

  function isOverlaid(element: Element): boolean {
    const { opacity, clipPath } = getComputedStyle(element);
    return opacity === '0' || clipPath !== 'none';
  }

  function hiddenBy(element: Element, box: DOMRect): string | undefined {
    let acrossSeen = false;
    let downSeen = false;
    for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(parent);
      const clip = parent.getBoundingClientRect();
      if (!acrossSeen && overflowX !== 'visible') {
        if (overflowX !== 'hidden' && overflowX !== 'clip') acrossSeen = true;
        else if (box.right > clip.right + 1 || box.left < clip.left - 1)
          return `sideways by ${nameOf(parent)}`;
      }
      if (!downSeen && overflowY !== 'visible') {
        if (overflowY !== 'hidden' && overflowY !== 'clip') downSeen = true;
        else if (box.bottom > clip.bottom + 1 || box.top < clip.top - 1) return `below by ${nameOf(parent)}`;
      }
      if (position === 'fixed') break;
    }
    if (!acrossSeen && (box.right > innerWidth + 1 || box.left < -1)) return 'sideways by the window';
    if (!downSeen && (box.bottom > innerHeight + 1 || box.top < -1)) return 'below by the window';
    return undefined;
  }

  function cutsItsText(part: Element): boolean {
    const { overflowX, clipPath } = getComputedStyle(part);
    const isCut = overflowX !== 'visible' && part.scrollWidth > part.clientWidth + 1;
    const hasText = [...part.childNodes].some(
      (node) => node.nodeType === 3 && node.textContent?.trim() !== '',
    );
    return isCut && hasText && clipPath === 'none' && part.closest('.visually-hidden') === null;
  }

  function nameOf(element: Element): string {
    const label = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 40) ?? '';
    return `${element.tagName.toLowerCase()}.${String(element.getAttribute('class')).slice(0, 60)} “${label}”`;
  }
}

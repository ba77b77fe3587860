import type { ReactNode, Ref, WheelEventHandler } from 'react';

interface ScrollRegionProps {
  readonly label: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
  readonly ref?: Ref<HTMLElement>;
  readonly onWheel?: WheelEventHandler;
}

/** A named part of the page that scrolls separately: focusable, so that arrow keys can scroll it. */
export function ScrollRegion({ label, ...rest }: ScrollRegionProps) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the content below cannot be reached by keyboard
  return <section aria-label={label} tabIndex={0} {...rest} />;
}

import type { ComponentProps } from 'react';

type GridPartProps = ComponentProps<'div'> & {
  readonly role: 'table' | 'grid' | 'rowgroup' | 'row' | 'columnheader' | 'rowheader' | 'cell' | 'gridcell';
};

/** A part of a table with freely positioned rows, which table elements do not allow: the role names it. */
export function GridPart(props: GridPartProps) {
  return <div {...props} />;
}

import type { ComponentProps } from 'react';

type GridPartProps = ComponentProps<'div'> & {
  readonly role: 'table' | 'grid' | 'rowgroup' | 'row' | 'columnheader' | 'rowheader' | 'cell' | 'gridcell';
};

/** A part of a table whose rows are placed freely, which table elements do not allow: the role says what it is. */
export function GridPart(props: GridPartProps) {
  return <div {...props} />;
}

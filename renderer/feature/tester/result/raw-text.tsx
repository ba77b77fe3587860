import { applyEdits, format } from 'jsonc-parser';
import { useMemo } from 'react';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import classes from './content.module.css';

/** JSON as it was written, in lines where that is quick; numbers stay as they are. */
export function RawText({ text, label }: { text: string; label: string }) {
  const shown = useMemo(() => inLines(text), [text]);
  return (
    <ScrollRegion label={label} className={classes.plain}>
      <pre>{shown}</pre>
    </ScrollRegion>
  );
}

function inLines(text: string): string {
  if (text.length > longest) return `${text.slice(0, longest)}\n… cut; save the answer to have all of it.`;
  if (text.length > laidOut) return text;
  return applyEdits(text, format(text, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' }));
}

const longest = 300_000;
const laidOut = 100_000;

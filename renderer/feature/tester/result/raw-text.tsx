import { applyEdits, format } from 'jsonc-parser';
import { useMemo } from 'react';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import classes from './content.module.css';

/** Shows JSON as written, formatted unless it is too long; numbers stay unchanged. */
export function RawText({ text, label }: { text: string; label: string }) {
  const shown = useMemo(() => formatted(text), [text]);
  return (
    <ScrollRegion label={label} className={classes.plain}>
      <pre>{shown}</pre>
    </ScrollRegion>
  );
}

function formatted(text: string): string {
  if (text.length > maxLength)
    return `${text.slice(0, maxLength)}\n… truncated. Save the result to see all of it.`;
  if (text.length > maxFormattedLength) return text;
  return applyEdits(text, format(text, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' }));
}

const maxLength = 300_000;
const maxFormattedLength = 100_000;

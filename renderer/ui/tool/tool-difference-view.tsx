import { Button } from '@mantine/core';
import { useState } from 'react';
import type { ToolDifference } from '../../../shared/model/server/server-update.ts';
import { ScrollRegion } from '../list/scroll-region.tsx';
import classes from './tool-difference-view.module.css';

/** Number of names shown per kind before "more". */
const shownAtFirst = 12;

const kinds = [
  { kind: 'added', sign: '+', title: 'Added' },
  { kind: 'removed', sign: '−', title: 'Removed' },
  { kind: 'changed', sign: '~', title: 'Changed, same name' },
] as const;

/** Lists changes of a server's tools by name, at first only some of many. */
export function ToolDifferenceView({ difference }: { difference: ToolDifference }) {
  const found = kinds.filter(({ kind }) => difference[kind].length > 0);
  if (found.length === 0) return <p className="soft">No changes to its tools.</p>;
  return (
    <div className="grid gap-12">
      {found.map(({ kind, sign, title }) => (
        <ToolNames key={kind} kind={kind} sign={sign} title={title} names={difference[kind]} />
      ))}
    </div>
  );
}

interface ToolNamesProps {
  readonly kind: keyof ToolDifference;
  readonly sign: string;
  readonly title: string;
  readonly names: readonly string[];
}

function ToolNames({ kind, sign, title, names }: ToolNamesProps) {
  const [all, setAll] = useState(false);
  const rest = names.length - shownAtFirst;
  return (
    <section className={classes.group} data-kind={kind} aria-label={`${title}: ${names.length}`}>
      <p className={`row ${classes.title}`}>
        <span className={classes.sign} aria-hidden>
          {sign}
        </span>
        {title}
        <span className={classes.count}>{names.length.toLocaleString('en')}</span>
      </p>
      {all ? (
        <ScrollRegion label={`All ${names.length}`} className={classes.all}>
          <Names names={names} />
        </ScrollRegion>
      ) : (
        <Names names={names.slice(0, shownAtFirst)} />
      )}
      {rest > 0 && (
        <Button variant="subtle" size="compact-xs" onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : `and ${rest.toLocaleString('en')} more`}
        </Button>
      )}
    </section>
  );
}

function Names({ names }: { names: readonly string[] }) {
  return (
    <ul className={classes.names}>
      {names.map((name) => (
        <li key={name}>
          <code title={name}>{name}</code>
        </li>
      ))}
    </ul>
  );
}

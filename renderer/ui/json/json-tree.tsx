import { Button } from '@mantine/core';
import { type Node, parseTree } from 'jsonc-parser';
import { type ReactNode, useMemo, useState } from 'react';
import { formatCount } from '../../lib/text/format-amount.ts';
import { ScrollRegion } from '../list/scroll-region.tsx';
import classes from './json-tree.module.css';

/** Shows JSON as a tree; every value as written, so that no number is rounded. */
export function JsonTree({ text, label }: { text: string; label: string }) {
  const root = useMemo(() => parseTree(text), [text]);
  return (
    <ScrollRegion label={label} className={classes.tree}>
      {root === undefined ? <pre>{text}</pre> : <Branch node={root} text={text} name={undefined} depth={0} />}
    </ScrollRegion>
  );
}

interface BranchProps {
  readonly node: Node;
  readonly text: string;
  readonly name: string | undefined;
  readonly depth: number;
}

function Branch({ node, text, name, depth }: BranchProps) {
  const isList = node.type === 'array';
  const [open, setOpen] = useState(
    depth < openDepth(text) && (node.children?.length ?? 0) <= maxOpenChildren,
  );
  if (!isList && node.type !== 'object') return <Leaf node={node} text={text} name={name} />;
  const count = node.children?.length ?? 0;
  const size = isList ? formatCount(count, 'item') : formatCount(count, 'field');
  if (count === 0) {
    return (
      <Line name={name}>
        <span className="dim">{isList ? '[ ]' : '{ }'}</span>
      </Line>
    );
  }
  return (
    <details className={classes.branch} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {name !== undefined && <span className={classes.name}>{name}</span>}
        <span className="dim">{isList ? `[ ${size} ]` : `{ ${size} }`}</span>
      </summary>
      {open && <Children node={node} text={text} depth={depth} isList={isList} />}
    </details>
  );
}

const maxOpenChildren = 50;

/** Opens short JSON completely, down to the text of a result. */
function openDepth({ length }: string): number {
  return length <= 4_000 ? 5 : 2;
}

function Children({ node, text, depth, isList }: Omit<BranchProps, 'name'> & { readonly isList: boolean }) {
  const [shown, setShown] = useState(page);
  const all = node.children ?? [];
  return (
    <div className={classes.children}>
      {all.slice(0, shown).map((child, index) => {
        const [key, value] = isList ? [undefined, child] : (child.children ?? []);
        if (value === undefined) return null;
        const name = key === undefined ? String(index) : String(key.value);
        return <Branch key={child.offset} node={value} text={text} name={name} depth={depth + 1} />;
      })}
      {all.length > shown && (
        <Button variant="subtle" size="compact-xs" onClick={() => setShown(shown + page)}>
          {`Show ${Math.min(page, all.length - shown)} more of ${all.length - shown}`}
        </Button>
      )}
    </div>
  );
}

const page = 100;

function Leaf({ node, text, name }: Omit<BranchProps, 'depth'>) {
  const written =
    node.type === 'string' ? String(node.value) : text.slice(node.offset, node.offset + node.length);
  const shown = written.length > maxTextLength ? `${written.slice(0, maxTextLength)}…` : written;
  return (
    <Line name={name}>
      <span className={classes.value} data-type={node.type}>
        {shown}
      </span>
      {written.length > maxTextLength && (
        <span className="dim">{`${written.length.toLocaleString('en')} characters`}</span>
      )}
    </Line>
  );
}

const maxTextLength = 2_000;

function Line({ name, children }: { name: string | undefined; children: ReactNode }) {
  return (
    <div className={classes.line}>
      {name !== undefined && <span className={classes.name}>{name}</span>}
      {children}
    </div>
  );
}

import { ActionIcon } from '@mantine/core';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { SearchField } from '../../../ui/list/search-field.tsx';
import classes from './outcome-pane.module.css';

interface FindInAnswerProps {
  readonly within: RefObject<HTMLElement | null>;
  /** Changes with the displayed content, so that the search runs again. */
  readonly shownAs: string;
}

/** Finds text in the answer, in any view, and highlights it without re-rendering. */
export function FindInAnswer({ within, shownAs }: FindInAnswerProps) {
  const [query, setQuery] = useState('');
  const [ranges, setRanges] = useState<readonly Range[]>([]);
  const [index, setIndex] = useState(0);
  const field = useFindKey();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view of the answer needs a new search
  useEffect(() => {
    const found = within.current === null ? [] : findRanges(within.current, query);
    setRanges(found);
    setIndex(0);
    CSS.highlights.set('answer', new Highlight(...found));
    return () => {
      CSS.highlights.delete('answer');
    };
  }, [within, query, shownAs]);
  const current = ranges[index];
  useEffect(() => {
    if (current === undefined) return;
    CSS.highlights.set('answer-current', new Highlight(current));
    current.startContainer.parentElement?.scrollIntoView({ block: 'nearest' });
    return () => {
      CSS.highlights.delete('answer-current');
    };
  }, [current]);
  const step = (by: number) => setIndex((at) => (at + by + ranges.length) % Math.max(1, ranges.length));
  return (
    <search
      className={`row ${classes.find}`}
      ref={field}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        step(event.shiftKey ? -1 : 1);
      }}
    >
      <SearchField label="Find in result" width={150} value={query} onChange={setQuery} />
      {query !== '' && (
        <>
          <span className={classes.found} role="status">
            {ranges.length === 0 ? 'None' : `${index + 1} of ${ranges.length.toLocaleString('en')}`}
          </span>
          <ActionIcon aria-label="Previous match" disabled={ranges.length < 2} onClick={() => step(-1)}>
            <ChevronUp size={14} aria-hidden />
          </ActionIcon>
          <ActionIcon aria-label="Next match" disabled={ranges.length < 2} onClick={() => step(1)}>
            <ChevronDown size={14} aria-hidden />
          </ActionIcon>
        </>
      )}
    </search>
  );
}

/** Focuses the field on Ctrl+F from anywhere. */
function useFindKey(): RefObject<HTMLElement | null> {
  const field = useRef<HTMLElement>(null);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      field.current?.querySelector('input')?.select();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  return field;
}

/** Returns the ranges of a text in an element, ignoring case, up to a maximum. */
function findRanges(element: HTMLElement, query: string): readonly Range[] {
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

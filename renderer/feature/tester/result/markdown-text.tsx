import { SafeMarkdown } from '../../../ui/safe-markdown.tsx';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import classes from './content.module.css';

/** Shows Markdown in a scrollable frame. */
export function MarkdownText({ text, label }: { text: string; label: string }) {
  return (
    <ScrollRegion label={label} className={classes.markdown}>
      <SafeMarkdown text={text} />
    </ScrollRegion>
  );
}

import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { SafeMarkdown } from '../../../ui/text/safe-markdown.tsx';
import classes from './content.module.css';

/** Shows Markdown in a scrollable frame. */
export function MarkdownText({ text, label }: { text: string; label: string }) {
  return (
    <ScrollRegion label={label} className={classes.markdown}>
      <SafeMarkdown text={text} />
    </ScrollRegion>
  );
}

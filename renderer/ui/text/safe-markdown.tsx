import { Square, SquareCheck } from 'lucide-react';
import Markdown, { type MarkdownToJSX } from 'markdown-to-jsx';
import type { ReactNode } from 'react';
import { useModel } from '../../store/model-context.tsx';
import classes from './safe-markdown.module.css';

/**
 * Renders untrusted Markdown: HTML tags stay text, images are named but not fetched, and links are opened by
 * the main process.
 */
export function SafeMarkdown({ text }: { text: string }) {
  return (
    <div className={classes.prose}>
      <Markdown options={options}>{text}</Markdown>
    </div>
  );
}

/** A task list item; read-only. */
function Tick({ checked = false }: { checked?: boolean }) {
  const Icon = checked ? SquareCheck : Square;
  return <Icon size={13} className={classes.tick} role="img" aria-label={checked ? 'Done' : 'To do'} />;
}

function Link({ href, children }: { href?: string; children?: ReactNode }) {
  const { link, notify } = useModel();
  if (href === undefined || !/^https?:/i.test(href)) return <span title={href}>{children}</span>;
  return (
    <button
      type="button"
      className={`bare ${classes.link}`}
      title={href}
      onClick={async () => {
        const answer = await link.call('app.openExternal', { url: href });
        if (!answer.ok) notify.problem(answer.problem);
      }}
    >
      {children}
    </button>
  );
}

/** Fetching the image would tell its owner that it is being viewed. */
function Picture({ alt, src }: { alt?: string; src?: string }) {
  return (
    <span className="dim" title={src}>
      [picture{alt ? `: ${alt}` : ''}]
    </span>
  );
}

function Heading({ children }: { children?: ReactNode }) {
  return <p className={classes.heading}>{children}</p>;
}

const options: MarkdownToJSX.Options = {
  disableParsingRawHTML: true,
  forceBlock: true,
  // Headings in a description are not headings of the page.
  overrides: {
    a: Link,
    img: Picture,
    input: Tick,
    h1: Heading,
    h2: Heading,
    h3: Heading,
    h4: Heading,
    h5: Heading,
    h6: Heading,
  },
};

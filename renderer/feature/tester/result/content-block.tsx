import { FileText, Link2 } from 'lucide-react';
import { isRecord, parseJson } from '../../../../shared/json.ts';
import { formatBytes } from '../../../lib/text/format-amount.ts';
import { JsonTree } from '../../../ui/json/json-tree.tsx';
import { ScrollRegion } from '../../../ui/list/scroll-region.tsx';
import { CopyButton } from '../../../ui/text/copy-button.tsx';
import { SafeMarkdown } from '../../../ui/text/safe-markdown.tsx';
import classes from './content.module.css';

type Node = Readonly<Record<string, unknown>>;

/** Shows one part of a result by its type; unknown types as JSON. */
export function ContentBlock({ block, number }: { block: Node; number: number }) {
  const { type, text, data, mimeType, resource } = block;
  const label = `Part ${number}`;
  if (type === 'text' && typeof text === 'string') return <TextPart text={text} label={label} />;
  if (type === 'image' && typeof data === 'string') {
    return <Media kind="image" data={data} mimeType={mimeType} label={label} />;
  }
  if (type === 'audio' && typeof data === 'string') {
    return <Media kind="audio" data={data} mimeType={mimeType} label={label} />;
  }
  if (type === 'resource_link') return <ResourceLink link={block} />;
  if (type === 'resource' && isRecord(resource)) return <ResourcePart resource={resource} number={number} />;
  return <JsonTree text={JSON.stringify(block)} label={`${label} as JSON`} />;
}

/** Shows the contents of a resource. */
export function ResourcePart({ resource, number }: { resource: Node; number: number }) {
  const { uri, mimeType, text, blob } = resource;
  const label = `Resource ${number}`;
  const type = typeof mimeType === 'string' ? mimeType : '';
  return (
    <figure className={classes.part}>
      <figcaption className={`row ${classes.caption}`}>
        <FileText size={13} aria-hidden />
        <code>{String(uri ?? '')}</code>
        {type !== '' && <span>{type}</span>}
      </figcaption>
      {typeof text === 'string' && <TextPart text={text} label={label} mimeType={type} />}
      {typeof blob === 'string' && <Blob data={blob} mimeType={type} label={label} />}
    </figure>
  );
}

function Blob({ data, mimeType, label }: { data: string; mimeType: string; label: string }) {
  if (mimeType.startsWith('image/'))
    return <Media kind="image" data={data} mimeType={mimeType} label={label} />;
  if (mimeType.startsWith('audio/'))
    return <Media kind="audio" data={data} mimeType={mimeType} label={label} />;
  return (
    <p className="dim tiny breaks">{`Binary data, ${formatBytes(bytesOf(data))}. Save the result to get it.`}</p>
  );
}

/** Shows text as JSON, Markdown or plain text. */
function TextPart({ text, label, mimeType = '' }: { text: string; label: string; mimeType?: string }) {
  const isMarkdown = mimeType === 'text/markdown' || (mimeType === '' && looksLikeMarkdown(text));
  const isJson = /^\s*[{[]/.test(text) && text.length < maxTreeLength && parseJson(text) !== undefined;
  return (
    <div className="min-0 list-rows">
      <div className={classes.copy}>
        <CopyButton text={() => text} label={`Copy ${label.toLowerCase()}`} />
      </div>
      {isJson ? (
        <JsonTree text={text} label={label} />
      ) : isMarkdown ? (
        <MarkdownText text={text} label={label} />
      ) : (
        <ScrollRegion label={label} className={classes.plain}>
          <pre>{shortened(text)}</pre>
        </ScrollRegion>
      )}
    </div>
  );
}

interface MediaProps {
  readonly kind: 'image' | 'audio';
  readonly data: string;
  readonly mimeType: unknown;
  readonly label: string;
}

function Media({ kind, data, mimeType, label }: MediaProps) {
  const type = typeof mimeType === 'string' ? mimeType : `${kind}/*`;
  // Only image and audio types are accepted, so the data can only be viewed or played.
  if (!type.startsWith(`${kind}/`) || !/^[\w.+/-]+$/.test(type)) {
    return <p className="dim tiny breaks">{`Its type is ${type}, which is not ${kind}.`}</p>;
  }
  const source = `data:${type};base64,${data}`;
  const size = formatBytes(bytesOf(data));
  return (
    <figure className={classes.part}>
      {kind === 'image' ? (
        <img className={classes.image} src={source} alt={`${label} of the result`} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: tool output has no captions
        <audio className={classes.audio} controls src={source} aria-label={label} />
      )}
      <figcaption className={`row ${classes.caption}`}>{`${type}, ${size}`}</figcaption>
    </figure>
  );
}

function ResourceLink({ link }: { link: Node }) {
  const { uri, name, title, description, mimeType, size } = link;
  const facts = [mimeType, typeof size === 'number' ? formatBytes(size) : undefined].filter(Boolean);
  return (
    <div className={classes.linkCard}>
      <Link2 size={14} aria-hidden />
      <div className="grow breaks">
        <p className="strong">{String(title ?? name ?? uri ?? '')}</p>
        <code>{String(uri ?? '')}</code>
        {typeof description === 'string' && <p className="dim tiny breaks">{description}</p>}
        {facts.length > 0 && <p className="dim tiny breaks">{facts.join(', ')}</p>}
      </div>
      <CopyButton text={() => String(uri ?? '')} label="Copy the address" />
    </div>
  );
}

/** Guesses whether plain text is Markdown, since tools do not declare it: headings, lists, tables. */
function looksLikeMarkdown(text: string): boolean {
  return /^#{1,6} \S|^[ \t]*[-*] \S.*\n\s*[-*] \S|^```|\*\*\S[^*]*\*\*|\n\|[-: |]+\|/m.test(
    text.slice(0, 20_000),
  );
}

const maxTreeLength = 2_000_000;
const maxTextLength = 300_000;

function shortened(text: string): string {
  return text.length <= maxTextLength
    ? text
    : `${text.slice(0, maxTextLength)}\n… truncated. Save the result to see all of it.`;
}

function bytesOf(base64: string): number {
  return Math.floor((base64.length * 3) / 4);
}

/** Shows Markdown in a scrollable frame. */
function MarkdownText({ text, label }: { text: string; label: string }) {
  return (
    <ScrollRegion label={label} className={classes.markdown}>
      <SafeMarkdown text={text} />
    </ScrollRegion>
  );
}

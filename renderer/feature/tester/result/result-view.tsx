import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import { CircleCheck, OctagonX, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import { JsonTree } from '../../../ui/json/json-tree.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { checkValue } from '../form/schema-checker.ts';
import { ContentBlock, ResourcePart } from './content-block.tsx';
import type { ReadAnswer } from './read-answer.ts';
import classes from './result-view.module.css';

interface ResultViewProps {
  readonly answer: ReadAnswer;
  /** The JSON it was parsed from. */
  readonly text: string;
  readonly outputSchema: unknown;
}

/** Shows an answer in readable form: its parts by type, and whether it matches the output schema. */
export function ResultView({ answer, text, outputSchema }: ResultViewProps) {
  switch (answer.kind) {
    case 'tool':
      return (
        <>
          {answer.failed && (
            <p className={`row ${classes.failed}`} role="status">
              <OctagonX size={14} aria-hidden /> The tool reported an error.
            </p>
          )}
          {numbered(answer.content)
            .filter(({ part }) => answer.failed || !repeats(part, answer.structured))
            .map(({ part, number }) => (
              <ContentBlock key={number} block={part} number={number} />
            ))}
          {answer.content.length === 0 && answer.structured === undefined && (
            <p className={classes.nothing}>The result has no content.</p>
          )}
          {!answer.failed && <Structured value={answer.structured} text={text} schema={outputSchema} />}
        </>
      );
    case 'prompt':
      return (
        <>
          {answer.description !== undefined && <p className={classes.about}>{answer.description}</p>}
          {numbered(answer.messages).map(({ part, number }) => (
            <article
              key={number}
              className={classes.message}
              aria-label={`Message ${number} of ${part.role}`}
            >
              <h3 className="tiny strong">{part.role}</h3>
              <ContentBlock block={part.content} number={number} />
            </article>
          ))}
        </>
      );
    case 'resource':
      return (
        <>
          {numbered(answer.contents).map(({ part, number }) => (
            <ResourcePart key={number} resource={part} number={number} />
          ))}
        </>
      );
    case 'error':
      return answer.problem === undefined ? (
        <ServerError answer={answer} text={text} />
      ) : (
        <ProblemCard problem={answer.problem} open />
      );
    case 'other':
      return <JsonTree text={text} label="Result as JSON" />;
  }
}

function ServerError({ answer, text }: { answer: Extract<ReadAnswer, { kind: 'error' }>; text: string }) {
  return (
    <section className={classes.error} aria-label="Server error">
      <p className={`row ${classes.failed}`}>
        <OctagonX size={14} aria-hidden /> {answer.message || 'The server returned an error.'}
      </p>
      {answer.code !== '' && <code className="dim">{answer.code}</code>}
      {answer.hasData && <JsonTree text={text} label="Error as JSON" />}
    </section>
  );
}

interface StructuredProps {
  readonly value: Readonly<Record<string, unknown>> | undefined;
  readonly text: string;
  readonly schema: unknown;
}

/** Shows the structured content and whether it matches the tool's output schema. */
function Structured({ value, text, schema }: StructuredProps) {
  const verdict = useMemo(
    () => (schema === undefined || value === undefined ? undefined : checkValue(schema, value)),
    [schema, value],
  );
  if (value === undefined) {
    if (schema === undefined) return null;
    return (
      <Notice
        label="Missing structured content"
        tone="quiet"
        icon={<TriangleAlert size={15} />}
        title="No structured content"
        text="The tool has an output schema, so its results should include structured content."
      />
    );
  }
  return (
    <section className={classes.structured} aria-label="Structured content">
      <h3 className="tiny strong">Structured content</h3>
      {verdict?.kind === 'unusable' && (
        <p className={classes.nothing}>{`The output schema cannot be checked: ${verdict.reason}`}</p>
      )}
      {verdict?.kind === 'checked' && verdict.issues.length === 0 && (
        <p className={`row ${classes.fits}`}>
          <CircleCheck size={13} aria-hidden /> Matches the output schema.
        </p>
      )}
      {verdict?.kind === 'checked' && verdict.issues.length > 0 && (
        <div className={classes.differs}>
          <p>
            <TriangleAlert size={13} aria-hidden /> Does not match the output schema:
          </p>
          <ul>
            {verdict.issues.map(({ path, keyword, message }) => (
              <li key={`${path.join('.')} ${keyword} ${message}`}>
                {path.length > 0 && <code>{path.join('.')}</code>} {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      <JsonTree text={memberText(text, 'structuredContent', value)} label="Structured content as JSON" />
    </section>
  );
}

/** Returns whether a text part repeats the structured content, as servers do for older clients. */
function repeats({ type, text }: Readonly<Record<string, unknown>>, structured: unknown): boolean {
  if (structured === undefined || type !== 'text' || typeof text !== 'string') return false;
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(structured);
  } catch {
    return false;
  }
}

function numbered<T>(parts: readonly T[]): readonly { readonly part: T; readonly number: number }[] {
  return parts.map((part, index) => ({ part, number: index + 1 }));
}

/** Returns the text of a property as written in the JSON; falls back to serializing `value`. */
function memberText(text: string, name: string, value: unknown): string {
  const root = parseTree(text);
  const node = root && findNodeAtLocation(root, [name]);
  return node === undefined ? JSON.stringify(value) : text.slice(node.offset, node.offset + node.length);
}

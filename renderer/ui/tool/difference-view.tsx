import type { DefinitionPart, DifferenceLine } from '../../../shared/model/tool/guard.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import classes from './difference-view.module.css';

/** Shows definitions part by part and line by line; unchanged parts only with `all`. */
export function DifferenceView({ parts, all }: { parts: readonly DefinitionPart[]; all: boolean }) {
  const shown = parts.filter(({ isChanged }) => all || isChanged);
  return (
    <div className={classes.parts}>
      {shown.map((part) => (
        <section key={part.part} aria-label={partTitle(part.part)}>
          <h3 className={classes.title}>
            {partTitle(part.part)}
            {!part.isChanged && <span className={classes.same}>the same</span>}
          </h3>
          <div className={classes.lines}>
            {part.lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position
              <Line key={index} line={line} />
            ))}
          </div>
        </section>
      ))}
    </div>
  );
}

const titles: Readonly<Record<string, string>> = {
  name: 'Name',
  title: 'Title',
  description: 'Description',
  inputSchema: 'Parameters',
  outputSchema: 'Result',
  annotations: 'Annotations',
};

function partTitle(part: string): string {
  return titles[part] ?? part;
}

const signs = { same: ' ', added: '+', removed: '−' } as const;
const words = { same: '', added: 'Added: ', removed: 'Removed: ' } as const;

function Line({ line }: { line: DifferenceLine }) {
  if (line.kind === 'gap') {
    return <p className={classes.gap}>{formatCount(line.lines, 'line')} not shown</p>;
  }
  return (
    <div className={classes.line} data-kind={line.kind}>
      <span className={classes.sign} aria-hidden>
        {signs[line.kind]}
      </span>
      <code className={classes.text}>
        <span className="visually-hidden">{words[line.kind]}</span>
        {line.pieces.map(({ text, marked }, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece is identified by its position
          marked ? <mark key={index}>{text}</mark> : text,
        )}
      </code>
    </div>
  );
}

import type { FilePreview, Hunk } from '../../../shared/model/client/connect.ts';
import { ScrollRegion } from '../list/scroll-region.tsx';
import { ProblemCard } from '../problem-card.tsx';
import classes from './file-difference.module.css';

/** Shows exactly what would be written to another program's file; other values are masked. */
export function FileDifference({ file }: { file: FilePreview }) {
  return (
    <section className="flex gap-6 column" aria-label={`Change of ${file.file}`}>
      <h3 className={classes.fileName}>
        <code className="selectable">{file.file}</code>
        <span className="dim tiny">{fileWords[file.kind]}</span>
      </h3>
      {file.kind === 'refused' && <ProblemCard problem={file.problem} about={file.file} open />}
      {(file.kind === 'change' || file.kind === 'create') &&
        file.hunks.map((hunk) => <HunkLines key={hunk.line} hunk={hunk} />)}
    </section>
  );
}

const fileWords: Readonly<Record<FilePreview['kind'], string>> = {
  create: 'will be created',
  change: 'is the only file changed',
  unchanged: 'already has this entry',
  refused: 'is not changed',
};

function HunkLines({ hunk }: { hunk: Hunk }) {
  return (
    <ScrollRegion label={`Lines from ${hunk.line}`} className={classes.hunk}>
      <pre className="selectable">
        {numbered(hunk).map(({ number, kind, text }) => (
          <span key={number} className={classes.line} data-kind={kind}>
            <span className={classes.sign} aria-hidden>
              {signs[kind]}
            </span>
            {kind !== 'context' && <span className="visually-hidden">{kind}: </span>}
            {text}
            {'\n'}
          </span>
        ))}
      </pre>
    </ScrollRegion>
  );
}

/** Lines never move, so their numbers identify them. */
function numbered({ line, lines }: Hunk) {
  return lines.map((one, index) => ({ ...one, number: line + index }));
}

const signs = { context: ' ', add: '+', remove: '−' } as const;

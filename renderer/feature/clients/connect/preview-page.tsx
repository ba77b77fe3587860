import { Info } from 'lucide-react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { ConnectPreview, FilePreview, Hunk } from '../../../../shared/model/connect.ts';
import { joinWords } from '../../../lib/join-words.ts';
import { Notice } from '../../../ui/notice.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { ScrollRegion } from '../../../ui/scroll-region.tsx';
import classes from './connect.module.css';

interface PreviewPageProps {
  readonly preview: ConnectPreview;
  readonly title: string;
  /** What kept the last try from being made. */
  readonly problem?: Problem | undefined;
}

/** Exactly what would be written, file by file; values of others are masked. */
export function PreviewPage({ preview, title, problem }: PreviewPageProps) {
  return (
    <>
      {problem !== undefined && <ProblemCard problem={problem} about={title} severity="warning" />}
      {preview.mustQuit && <RunningNotice preview={preview} title={title} />}
      {preview.files.map((file) => (
        <FileDifference key={file.file} file={file} />
      ))}
    </>
  );
}

function RunningNotice({ preview, title }: { preview: ConnectPreview; title: string }) {
  const processes = joinWords(
    preview.running.map(({ name, pid }) => `${name} (${pid})`),
    3,
  );
  return (
    <Notice
      label={`${title} is running`}
      icon={<Info size={16} />}
      title={`${title} is running and would overwrite the entry`}
      text={`It writes its config anew when it quits. It has to be quit first: ${processes}.`}
    />
  );
}

function FileDifference({ file }: { file: FilePreview }) {
  return (
    <section className={classes.difference} aria-label={`Change of ${file.file}`}>
      <h3 className={classes.fileName}>
        <code className="selectable">{file.file}</code>
        <span className={classes.hint}>{fileWords[file.kind]}</span>
      </h3>
      {file.kind === 'refused' && <ProblemCard problem={file.problem} about={file.file} open />}
      {(file.kind === 'change' || file.kind === 'create') &&
        file.hunks.map((hunk) => <HunkLines key={hunk.line} hunk={hunk} />)}
    </section>
  );
}

const fileWords: Readonly<Record<FilePreview['kind'], string>> = {
  create: 'will be made',
  change: 'will be changed here and nowhere else',
  unchanged: 'holds the entry already',
  refused: 'is left alone',
};

function HunkLines({ hunk }: { hunk: Hunk }) {
  return (
    <ScrollRegion label={`Lines from ${hunk.line} on`} className={classes.hunk}>
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

/** Lines never move, so their places name them. */
function numbered({ line, lines }: Hunk) {
  return lines.map((one, index) => ({ ...one, number: line + index }));
}

const signs = { context: ' ', add: '+', remove: '−' } as const;

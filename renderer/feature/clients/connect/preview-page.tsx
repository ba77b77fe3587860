import { Info } from 'lucide-react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { ConnectPreview } from '../../../../shared/model/connect.ts';
import { joinWords } from '../../../lib/join-words.ts';
import { FileDifference } from '../../../ui/file-difference.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { MoveChoice } from './move-choice.tsx';
import type { MoveOffer } from './move-offer.ts';

interface PreviewPageProps {
  readonly preview: ConnectPreview;
  readonly offer: MoveOffer | undefined;
  readonly title: string;
  readonly onMove: (isChosen: boolean) => void;
  /** The reason the last attempt failed. */
  readonly problem?: Problem | undefined;
}

/** Shows what would be written, file by file. Values of other entries are masked. */
export function PreviewPage({ preview, offer, title, onMove, problem }: PreviewPageProps) {
  return (
    <>
      {problem !== undefined && <ProblemCard problem={problem} about={title} severity="warning" />}
      {preview.mustQuit && <RunningNotice preview={preview} title={title} />}
      {offer !== undefined && <MoveChoice offer={offer} title={title} onChoose={onMove} />}
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
      title={`Quit ${title} first`}
      text={`${title} is running and would overwrite the change when it quits: ${processes}.`}
    />
  );
}

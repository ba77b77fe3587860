import { Checkbox } from '@mantine/core';
import { Info } from 'lucide-react';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { ConnectPreview } from '../../../../shared/model/client/connect.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { joinWords } from '../../../lib/text/join-words.ts';
import { Notice } from '../../../ui/notice.tsx';
import { ProblemCard } from '../../../ui/problem-card.tsx';
import { FileDifference } from '../../../ui/tool/file-difference.tsx';
import classes from './connect.module.css';
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

interface MoveChoiceProps {
  readonly offer: MoveOffer;
  readonly title: string;
  readonly onChoose: (isChosen: boolean) => void;
}

/** Offers to move the servers that a client starts itself into Patchbay. */
function MoveChoice({ offer, title, onChoose }: MoveChoiceProps) {
  const { newServers, knownServers, skippedServers, isChosen } = offer;
  const all = newServers.length + knownServers.length + skippedServers.length;
  const moved = newServers.length + knownServers.length;
  const subject = moved < all ? `${moved} of them` : all === 1 ? 'it' : 'them';
  const secrets = new Set(newServers.flatMap((entry) => entry.secrets.map(({ secretName }) => secretName)));
  const parts = [
    ...(newServers.length === 0
      ? []
      : [`${newServers.length} ${newServers.length === 1 ? 'is' : 'are'} new`]),
    ...(knownServers.length === 0 ? [] : [`${knownServers.length} you have`]),
    ...(skippedServers.length === 0 ? [] : [`${skippedServers.length} can’t be moved yet`]),
  ];
  return (
    <section className={classes.move} aria-label={`Servers of ${title}`}>
      <p>
        {title} also starts {formatCount(all, 'server')} itself: {joinWords(parts, 3)}.
      </p>
      <Checkbox
        checked={isChosen}
        onChange={(event) => onChoose(event.currentTarget.checked)}
        label={
          <>
            Move {subject} to Patchbay
            <span className={classes.hint}>
              Otherwise each would run twice. The original file is backed up; you can undo this.
              {secrets.size > 0 && ` ${formatCount(secrets.size, 'secret')} will be stored encrypted.`}
            </span>
          </>
        }
      />
      {skippedServers.length > 0 && (
        <p className={classes.hint}>
          Not moved:{' '}
          {joinWords(
            skippedServers.map(({ writtenKey, key }) => writtenKey || key),
            4,
          )}
          . To complete {skippedServers.length === 1 ? 'it' : 'them'}, use Add server, Import from apps.
        </p>
      )}
    </section>
  );
}

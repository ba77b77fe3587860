import { Checkbox } from '@mantine/core';
import { formatCount } from '../../../lib/format-amount.ts';
import { joinWords } from '../../../lib/join-words.ts';
import classes from './connect.module.css';
import type { MoveOffer } from './move-offer.ts';

interface MoveChoiceProps {
  readonly offer: MoveOffer;
  readonly title: string;
  readonly onChoose: (isChosen: boolean) => void;
}

/** Offers to move the servers that a client starts itself into Patchbay. */
export function MoveChoice({ offer, title, onChoose }: MoveChoiceProps) {
  const { newServers: fresh, knownServers: known, skippedServers: left, isChosen } = offer;
  const all = fresh.length + known.length + left.length;
  const moved = fresh.length + known.length;
  const subject = moved < all ? `${moved} of them` : all === 1 ? 'it' : 'them';
  const secrets = new Set(fresh.flatMap((entry) => entry.secrets.map(({ secretName }) => secretName)));
  const parts = [
    ...(fresh.length === 0 ? [] : [`${fresh.length} ${fresh.length === 1 ? 'is' : 'are'} new`]),
    ...(known.length === 0 ? [] : [`${known.length} you have`]),
    ...(left.length === 0 ? [] : [`${left.length} can’t be moved yet`]),
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
              {secrets.size > 0 && ` ${formatCount(secrets.size, 'secret')} will be stored in the vault.`}
            </span>
          </>
        }
      />
      {left.length > 0 && (
        <p className={classes.hint}>
          Not moved:{' '}
          {joinWords(
            left.map(({ writtenKey, key }) => writtenKey || key),
            4,
          )}
          . To complete {left.length === 1 ? 'it' : 'them'}, use Add server, Import from apps.
        </p>
      )}
    </section>
  );
}

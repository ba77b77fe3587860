import { Checkbox } from '@mantine/core';
import { formatCount } from '../../../lib/text/format-amount.ts';
import { joinWords } from '../../../lib/text/join-words.ts';
import classes from './connect.module.css';
import type { MoveOffer } from './move-offer.ts';

interface MoveChoiceProps {
  readonly offer: MoveOffer;
  readonly title: string;
  readonly onChoose: (isChosen: boolean) => void;
}

/** Offers to move the servers that a client starts itself into Patchbay. */
export function MoveChoice({ offer, title, onChoose }: MoveChoiceProps) {
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
              {secrets.size > 0 && ` ${formatCount(secrets.size, 'secret')} will be stored in the vault.`}
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

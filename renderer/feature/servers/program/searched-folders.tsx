import { ChevronRight } from 'lucide-react';
import type { CommandExplanation } from '../../../../shared/model/server/command.ts';
import { formatCount } from '../../../lib/text/format-amount.ts';
import classes from './program-panel.module.css';

type Folder = CommandExplanation['searched'][number];

/** Lists the folders in the order they were searched. */
export function SearchedFolders({ searched }: { searched: readonly Folder[] }) {
  if (searched.length === 0) return null;
  return (
    <details className={classes.searched}>
      <summary>
        <ChevronRight size={13} aria-hidden />
        {formatCount(searched.length, 'folder')} searched, in this order
      </summary>
      <ol className={classes.folders}>
        {searched.map(({ folder, exists, source }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a folder may be listed twice, so its position identifies it
          <li key={index} data-missing={!exists}>
            <span className={classes.place}>{index + 1}</span>
            <code>{folder}</code>
            <span className="fixed dim tiny">
              {sources[source]}
              {!exists && ', missing'}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

const sources: Readonly<Record<Folder['source'], string>> = {
  'login-shell': 'login shell',
  inherited: 'inherited',
  registry: 'registry',
  'well-known': 'common location',
  entry: 'server’s PATH',
};

import type { SearchHit } from '../../../shared/model/tool/search.ts';
import { rangesOf } from '../../lib/text/match-ranges.ts';
import { useServerTitle } from '../../store/model-context.tsx';
import { RangedText } from './ranged-text.tsx';

/** Shows the server of a hit, marked where its key matched, unless it has a different display name. */
export function ServerOfHit({ hit }: { hit: SearchHit }) {
  const title = useServerTitle(hit.serverKey);
  return <RangedText text={title} ranges={title === hit.serverKey ? rangesOf(hit, 'server') : []} />;
}

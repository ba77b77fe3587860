import type { ServerView } from '../../../shared/model/server.ts';
import { startingText } from '../../../shared/model/starting.ts';
import { Lasting } from '../../ui/time-text.tsx';

/** How long a start lasts, and what the program said last. */
export function Starting({ server }: { server: ServerView }) {
  return (
    <>
      Starting, <Lasting since={server.since} />: {startingText(server)}
    </>
  );
}

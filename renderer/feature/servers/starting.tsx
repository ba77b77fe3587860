import type { ServerView } from '../../../shared/model/server/server.ts';
import { startingText } from '../../../shared/model/server/starting.ts';
import { Lasting } from '../../ui/text/time-text.tsx';

/** Shows how long the server has been starting and its last output. */
export function Starting({ server }: { server: ServerView }) {
  return (
    <>
      Starting, <Lasting since={server.since} />: {startingText(server)}
    </>
  );
}

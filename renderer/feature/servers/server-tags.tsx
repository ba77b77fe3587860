import type { ServerView } from '../../../shared/model/server/server.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import { Tag } from '../../ui/tag.tsx';

/** Shows the key beside the display name, since tool names start with it. */
export function ServerKey({ server: { key, title } }: { server: Pick<ServerView, 'key' | 'title'> }) {
  return title === undefined ? null : <Tag title="Prefix of its tool names">{key}</Tag>;
}

/** Shows the server's tags, and how it runs if not the default way. */
export function ServerTags({
  server,
}: {
  server: Pick<ServerView, 'start' | 'isolation' | 'instances' | 'tags'>;
}) {
  return (
    <>
      {server.tags?.map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
      {server.start === 'on-demand' && <Tag title="Starts on the first call from a client.">On demand</Tag>}
      {server.isolation === 'per-client' && (
        <Tag title={`One per client. ${formatCount(server.instances, 'runs', 'run')} now.`}>
          Per client · {server.instances}
        </Tag>
      )}
    </>
  );
}

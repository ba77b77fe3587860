import type { ServerView } from '../../../shared/model/server.ts';
import { formatCount } from '../../lib/format-amount.ts';
import { Tag } from '../../ui/tag.tsx';

/** The key beside a name for people: tools are called by it. */
export function ServerKey({ server: { key, title } }: { server: Pick<ServerView, 'key' | 'title'> }) {
  return title === undefined ? null : <Tag title="Starts the names of its tools">{key}</Tag>;
}

/** How a server is run, where that is not the usual way. */
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
      {server.start === 'on-demand' && <Tag title="It starts at the first call of a client.">On demand</Tag>}
      {server.isolation === 'per-client' && (
        <Tag title={`Each client has its own. ${formatCount(server.instances, 'runs', 'run')} now.`}>
          Per client · {server.instances}
        </Tag>
      )}
    </>
  );
}

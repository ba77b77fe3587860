import { useServerTitle } from '../store/model-context.tsx';

/** The name of a server for people; its key shows on hover where it is another one. */
export function ServerName({ serverKey }: { serverKey: string }) {
  const title = useServerTitle(serverKey);
  return title === serverKey ? serverKey : <span title={serverKey}>{title}</span>;
}

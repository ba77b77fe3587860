import { useServerTitle } from '../../store/model-context.tsx';

/** Shows a server's display name, with its key on hover if that differs. */
export function ServerName({ serverKey }: { serverKey: string }) {
  const title = useServerTitle(serverKey);
  return title === serverKey ? serverKey : <span title={serverKey}>{title}</span>;
}

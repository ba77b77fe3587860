import { useEffect, useState } from 'react';
import type { AppUpdate } from '../../../shared/model/hub/app-update.ts';
import { useModel } from '../model-context.tsx';

/** Returns the state of app updates; undefined until known. Subscribed only while mounted. */
export function useAppUpdate(): AppUpdate | undefined {
  const { link, notify } = useModel();
  const [update, setUpdate] = useState<AppUpdate>();
  useEffect(() => {
    let wanted = true;
    const stop = link.on('update.changed', setUpdate);
    void link.call('update.get', undefined).then((answer) => {
      if (!wanted) return;
      if (answer.ok) setUpdate(answer.value);
      else notify.problem(answer.problem);
    });
    return () => {
      wanted = false;
      stop();
    };
  }, [link, notify]);
  return update;
}

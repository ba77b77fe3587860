import { Tooltip } from '@mantine/core';
import { Radio } from 'lucide-react';
import { useStore } from 'zustand/react';
import { copyConnection } from '../../command/app/app-actions.ts';
import { useModel } from '../../store/model-context.tsx';
import classes from './sidebar.module.css';

/** Shows the hub's address; a click copies the URL. */
export function HubFoot({ narrow }: { narrow: boolean }) {
  const model = useModel();
  const endpoint = useStore(model.mirrors.hub, (hub) => hub?.endpoint);
  const known = useStore(model.mirrors.hub, (hub) => hub !== undefined);
  if (!known) return null;
  const address = endpoint === undefined ? 'HTTP endpoint off' : new URL(endpoint).host;
  return (
    <Tooltip label={endpoint === undefined ? address : `Copy ${endpoint}`} position="right">
      <button
        type="button"
        className={`row bare ${classes.foot}`}
        data-serving={endpoint !== undefined}
        disabled={endpoint === undefined}
        onClick={() => void copyConnection(model, 'url')}
        aria-label={endpoint === undefined ? address : `Serving on ${address}. Copy the URL`}
      >
        <Radio size={14} aria-hidden />
        {!narrow && (
          <span className="truncate">
            {endpoint === undefined ? address : `Serving on port ${new URL(endpoint).port}`}
          </span>
        )}
      </button>
    </Tooltip>
  );
}

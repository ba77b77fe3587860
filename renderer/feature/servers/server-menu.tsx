import { ActionIcon, Menu } from '@mantine/core';
import {
  Copy,
  Ellipsis,
  FileJson,
  HeartPulse,
  KeyRound,
  LogOut,
  Moon,
  RotateCw,
  Route,
  ScrollText,
  Star,
  StarOff,
  Sunrise,
  Tag,
  Trash2,
} from 'lucide-react';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { openServer } from '../../command/navigate.ts';
import { setFavorites } from '../../command/server/bulk-actions.ts';
import { showExplanation } from '../../command/server/program-actions.ts';
import {
  checkHealth,
  duplicateServer,
  removeServer,
  restartServer,
  signInServer,
  signOutServer,
  sleepServer,
} from '../../command/server/server-actions.ts';
import { canSleep, isRunning, shownStatus } from '../../lib/server/server-status.ts';
import { signInVerb } from '../../lib/server/sign-in.ts';
import { useModel, useServerTitle } from '../../store/model-context.tsx';
import { openDialog } from '../../store/view-store.ts';

/** Lists a server's actions, other than turning it on or off. */
export function ServerMenu({ server }: { server: ServerView }) {
  const model = useModel();
  const { key } = server;
  return (
    <Menu width={196}>
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${useServerTitle(key)}`}>
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <LifeItems server={server} />
        {server.auth !== undefined && (
          <Menu.Item
            leftSection={<KeyRound size={14} aria-hidden />}
            onClick={() => void signInServer(model, key)}
          >
            {signInVerb(server)}
          </Menu.Item>
        )}
        {server.auth?.signedIn === true && (
          <Menu.Item
            leftSection={<LogOut size={14} aria-hidden />}
            onClick={() => void signOutServer(model, key)}
          >
            Sign out
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<ScrollText size={14} aria-hidden />}
          onClick={() => openServer(model, key, 'log')}
        >
          Show log
        </Menu.Item>
        <Menu.Item
          leftSection={<FileJson size={14} aria-hidden />}
          onClick={() => openServer(model, key, 'config')}
        >
          Edit config
        </Menu.Item>
        <Menu.Item
          leftSection={<Copy size={14} aria-hidden />}
          onClick={() => void duplicateServer(model, key)}
        >
          Duplicate
        </Menu.Item>
        <Menu.Item
          leftSection={
            server.favorite === true ? <StarOff size={14} aria-hidden /> : <Star size={14} aria-hidden />
          }
          onClick={() => setFavorites(model, [key], server.favorite !== true)}
        >
          {server.favorite === true ? 'Remove from favorites' : 'Add to favorites'}
        </Menu.Item>
        <Menu.Item
          leftSection={<Tag size={14} aria-hidden />}
          onClick={() => openDialog(model.view, { kind: 'tags', keys: [key] })}
        >
          Tags…
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          color="red"
          leftSection={<Trash2 size={14} aria-hidden />}
          onClick={() => void removeServer(model, key)}
        >
          Remove
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Shows the lifecycle actions that apply to the server's current status. */
function LifeItems({ server }: { server: ServerView }) {
  const model = useModel();
  const { key } = server;
  const asleep = shownStatus(server) === 'asleep';
  return (
    <>
      <Menu.Item
        leftSection={asleep ? <Sunrise size={14} aria-hidden /> : <RotateCw size={14} aria-hidden />}
        disabled={!server.enabled}
        onClick={() => void restartServer(model, key)}
      >
        {asleep ? 'Wake' : 'Restart'}
      </Menu.Item>
      {canSleep(server) && (
        <Menu.Item leftSection={<Moon size={14} aria-hidden />} onClick={() => void sleepServer(model, key)}>
          Sleep now
        </Menu.Item>
      )}
      {isRunning(server) && (
        <Menu.Item
          leftSection={<HeartPulse size={14} aria-hidden />}
          onClick={() => void checkHealth(model, key)}
        >
          Check health
        </Menu.Item>
      )}
      {server.transport === 'stdio' && (
        <Menu.Item leftSection={<Route size={14} aria-hidden />} onClick={() => showExplanation(model, key)}>
          Which version runs?
        </Menu.Item>
      )}
    </>
  );
}

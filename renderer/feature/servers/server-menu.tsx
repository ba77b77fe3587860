import { ActionIcon, Menu } from '@mantine/core';
import { Copy, Ellipsis, FileJson, KeyRound, LogOut, RotateCw, ScrollText, Trash2 } from 'lucide-react';
import type { ServerView } from '../../../shared/model/server.ts';
import { openServer } from '../../command/navigate.ts';
import {
  duplicateServer,
  removeServer,
  restartServer,
  signInServer,
  signOutServer,
} from '../../command/server-actions.ts';
import { signInVerb } from '../../lib/sign-in.ts';
import { useModel } from '../../store/model-context.tsx';

/** What can be done with a server besides switching it. */
export function ServerMenu({ server }: { server: ServerView }) {
  const model = useModel();
  const { key } = server;
  return (
    <Menu width={180}>
      <Menu.Target>
        <ActionIcon aria-label={`Actions for ${key}`}>
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<RotateCw size={14} aria-hidden />}
          disabled={!server.enabled}
          onClick={() => void restartServer(model, key)}
        >
          Restart
        </Menu.Item>
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

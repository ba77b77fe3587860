import { ActionIcon, Menu } from '@mantine/core';
import { Ellipsis, KeyRound, LogOut, Star, StarOff, Tag } from 'lucide-react';
import type { ServerView } from '../../../shared/model/server/server.ts';
import { setFavorites } from '../../command/server/bulk-actions.ts';
import {
  duplicateAction,
  pageActions,
  processActions,
  removeAction,
  type ServerAction,
  startAction,
} from '../../command/server/one-server.ts';
import { signInServer, signOutServer } from '../../command/server/server-actions.ts';
import { signInVerb } from '../../lib/server/sign-in.ts';
import { useModel, useServerTitle } from '../../store/model-context.tsx';
import { openDialog } from '../../store/view-store.ts';

/** Labels that are shorter here than elsewhere. */
const menuLabels: Readonly<Record<string, { readonly label: string }>> = {
  explain: { label: 'Which version runs?' },
};

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
        <ActionItem action={startAction(server)} server={server} disabled={!server.enabled} />
        {processActions
          .filter(({ applies }) => applies(server))
          .map((action) => (
            <ActionItem key={action.id} action={action} server={server} {...menuLabels[action.id]} />
          ))}
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
        {[...pageActions, duplicateAction].map((action) => (
          <ActionItem key={action.id} action={action} server={server} />
        ))}
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
        <ActionItem action={removeAction} server={server} color="red" />
      </Menu.Dropdown>
    </Menu>
  );
}

interface ActionItemProps {
  readonly action: ServerAction;
  readonly server: ServerView;
  readonly label?: string;
  readonly disabled?: boolean;
  readonly color?: string;
}

function ActionItem({ action: { icon: Icon, title, run }, server, label = title, ...look }: ActionItemProps) {
  const model = useModel();
  return (
    <Menu.Item {...look} leftSection={<Icon size={14} aria-hidden />} onClick={() => run(model, server.key)}>
      {label}
    </Menu.Item>
  );
}

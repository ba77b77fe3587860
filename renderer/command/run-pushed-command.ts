import type { IpcEvent } from '../../shared/ipc/contract.ts';
import type { Model } from '../store/model.ts';
import { openDialog, setPalette } from '../store/view-store.ts';
import { showApprovals } from './access/approval-actions.ts';
import { reviewTools } from './access/guard-actions.ts';
import { openConnectById } from './client/connect-actions.ts';
import { openPaste, openServer, openSettings, openView } from './navigate.ts';
import { turnAllServers } from './server/bulk-actions.ts';

/** Runs a command from outside the window: the tray, the menu, or a second launch. */
export function runPushedCommand(model: Model, command: IpcEvent<'command.run'>): void {
  switch (command.kind) {
    case 'open-view':
      openView(model, command.view);
      break;
    case 'open-server':
      openServer(model, command.key, 'overview');
      break;
    case 'review-tools':
      reviewTools(model, command.key);
      break;
    case 'connect-client':
      void openConnectById(model, command.id);
      break;
    case 'show-approvals':
      showApprovals(model);
      break;
    case 'turn-all-servers':
      turnAllServers(model, command.enabled);
      break;
    case 'add-server':
    case 'paste-server':
      openDialog(model.view, { kind: 'add-server', how: 'paste' });
      break;
    case 'show-import':
      openPaste(model, { from: { preview: command.preview } });
      break;
    case 'refuse-link':
      openPaste(model, { from: { problem: command.problem } });
      break;
    case 'open-about':
      openSettings(model, 'about');
      break;
    case 'open-palette':
      setPalette(model.view, true);
      break;
    case 'confirm-quit':
      openDialog(model.view, { kind: 'quit', plan: command.plan });
      break;
  }
}

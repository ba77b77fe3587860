import type { ApprovalRequest } from '../../../shared/model/access/access.ts';
import type { ClientView } from '../../../shared/model/client/client.ts';
import type { ConnectClient } from '../../../shared/model/client/connect.ts';
import type { ProfilesView } from '../../../shared/model/client/profile.ts';
import type { AppUpdate } from '../../../shared/model/hub/app-update.ts';
import type { HubView } from '../../../shared/model/hub/hub.ts';
import type { ServerView } from '../../../shared/model/server/server.ts';
import type { OperationInput, OperationName } from '../../../shared/operations/table.ts';
import type { CommandId } from '../command/command.ts';

/** All state that the tray is drawn from. */
export interface TrayInput {
  readonly hub: HubView;
  readonly phase: 'starting' | 'running' | 'failed';
  readonly servers: readonly ServerView[];
  readonly clients: readonly ClientView[];
  /** Clients whose configs have been checked so far. */
  readonly connect: readonly ConnectClient[];
  readonly update: AppUpdate;
  readonly profiles: ProfilesView;
  readonly approvals: readonly ApprovalRequest[];
}

export type TrayState = 'ok' | 'attention' | 'error' | 'off';

/** Runs an operation of the hub that needs no answer. */
export type RunAction<N extends OperationName = OperationName> = {
  readonly [K in N]: { readonly kind: 'run'; readonly operation: K; readonly input: OperationInput<K> };
}[N];

export type TrayAction =
  | { readonly kind: 'command'; readonly id: CommandId }
  | RunAction
  | { readonly kind: 'sign-in'; readonly key: string }
  | { readonly kind: 'open-server'; readonly key: string }
  | { readonly kind: 'review-tools'; readonly key: string }
  | { readonly kind: 'show-approvals' }
  /** Shows the exact change and connects the client, by its id in the client table. */
  | { readonly kind: 'connect-client'; readonly id: string };

/** A menu item; `id` stays the same as long as it means the same thing. */
export type TrayItem =
  | { readonly kind: 'separator'; readonly id: string }
  | { readonly kind: 'text'; readonly id: string; readonly label: string }
  | {
      readonly kind: 'action';
      readonly id: string;
      readonly label: string;
      readonly enabled: boolean;
      readonly action: TrayAction;
    }
  | {
      readonly kind: 'switch';
      readonly id: string;
      readonly label: string;
      readonly on: boolean;
      readonly action: TrayAction;
    }
  | {
      readonly kind: 'submenu';
      readonly id: string;
      readonly label: string;
      readonly items: readonly TrayItem[];
    };

export interface TrayModel {
  readonly state: TrayState;
  readonly tooltip: string;
  readonly items: readonly TrayItem[];
}

import { BotMessageSquare, Hand, ShieldCheck } from 'lucide-react';
import { approvalsShortcut } from '../../lib/text/approval-texts.ts';
import { openDialog } from '../../store/view-store.ts';
import type { Command } from '../command.ts';
import { openAccess } from './access-actions.ts';
import { hasApprovals, showApprovals } from './approval-actions.ts';

export const accessCommands: readonly Command[] = [
  {
    id: 'approvals.show',
    title: 'Approve or deny waiting calls',
    group: 'Go to',
    icon: Hand,
    keywords: 'answer approve approvals allow deny ask request',
    shortcut: approvalsShortcut,
    available: hasApprovals,
    run: showApprovals,
  },
  {
    id: 'access.open',
    title: 'Access',
    group: 'Go to',
    icon: ShieldCheck,
    keywords: 'policies policy permissions grants who may call agents tokens matrix',
    run: openAccess,
  },
  {
    id: 'access.newAgent',
    title: 'New agent',
    group: 'Connect a client',
    icon: BotMessageSquare,
    keywords: 'create identity token access',
    run: (model) => {
      openAccess(model);
      openDialog(model.view, { kind: 'new-agent' });
    },
  },
];

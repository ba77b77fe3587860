import { ShieldAlert } from 'lucide-react';
import type { Command } from '../command.ts';
import { firstToReview, reviewTools } from './guard-actions.ts';

export const guardCommands: readonly Command[] = [
  {
    id: 'guard.review',
    title: 'Review changed tools',
    group: 'Servers',
    icon: ShieldAlert,
    keywords: 'held blocked new approve guard definition difference',
    available: (model) => firstToReview(model) !== undefined,
    run: (model) => {
      const key = firstToReview(model);
      if (key !== undefined) reviewTools(model, key);
    },
  },
];

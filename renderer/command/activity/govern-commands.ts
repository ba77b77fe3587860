import { ChartLine, Gauge, ScrollText } from 'lucide-react';
import type { Command } from '../command.ts';
import { openActivity, openSettings } from '../navigate.ts';

export const governCommands: readonly Command[] = [
  {
    id: 'audit.open',
    title: 'Audit log',
    group: 'Go to',
    icon: ScrollText,
    keywords: 'who did what verify export history activity',
    run: (model) => openActivity(model, 'audit'),
  },
  {
    id: 'metrics.open',
    title: 'Metrics',
    group: 'Go to',
    icon: ChartLine,
    keywords: 'latency errors calls charts prometheus circuits breakers activity',
    run: (model) => openActivity(model, 'metrics'),
  },
  {
    id: 'limits.open',
    title: 'Limits',
    group: 'Go to',
    icon: Gauge,
    keywords: 'settings retry circuit timeout token cache retention MCP_ variables environment',
    run: (model) => openSettings(model, 'limits'),
  },
];

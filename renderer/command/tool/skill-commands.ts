import { Settings2, Shapes, Tags } from 'lucide-react';
import type { Command } from '../command.ts';
import { openSettings } from '../navigate.ts';
import { classifyAgain, openSkills } from './skill-actions.ts';

export const skillCommands: readonly Command[] = [
  {
    id: 'skills.open',
    title: 'Tools by skill',
    group: 'Go to',
    icon: Shapes,
    keywords: 'skills classification review suggestions category',
    run: (model) => openSkills(model),
  },
  {
    id: 'search.settings',
    title: 'Search settings',
    group: 'Go to',
    icon: Settings2,
    keywords: 'meaning semantic model provider classifier embedding ollama openai anthropic skills',
    run: (model) => openSettings(model, 'search'),
  },
  {
    id: 'skills.again',
    title: 'Classify all tools again',
    group: 'Patchbay',
    icon: Tags,
    keywords: 'skills reclassify',
    run: (model) => void classifyAgain(model),
  },
];

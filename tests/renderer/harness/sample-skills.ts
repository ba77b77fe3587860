import type { SearchHit } from '../../../shared/model/tool/search.ts';
import type { SkillSuggestion } from '../../../shared/model/tool/skill.ts';

/** Skills, with the names of tools that have them. */
export const sampleSkills = [
  {
    id: 'issue-tracking',
    name: 'Issue tracking',
    description: 'Issues, tickets and tasks of a team.',
    words: /issue|ticket|label/,
  },
  {
    id: 'code-hosting',
    name: 'Code hosting',
    description: 'Repositories, branches, reviews.',
    words: /pull|repo|branch|commit|merge|label/,
  },
  { id: 'files', name: 'Files and folders', description: 'Files of this machine.', words: /file|director/ },
  {
    id: 'web-browsing',
    name: 'Web browsing',
    description: 'Pages in a browser.',
    words: /page|browser|click/,
  },
  {
    id: 'messaging',
    name: 'Messages and mail',
    description: 'Writing to people, and reading what they write.',
    words: /comment|notification|discussion/,
  },
] as const;

export const sampleSuggestions: readonly SkillSuggestion[] = [
  {
    id: 'suggestion-1',
    name: 'Releasing software',
    description: 'Versions, tags, release notes and the runs that build them.',
    tools: [
      { serverKey: 'github', name: 'create_release' },
      { serverKey: 'github', name: 'list_release' },
      { serverKey: 'github', name: 'watch_workflow_run' },
    ],
    by: 'model',
  },
  {
    id: 'suggestion-2',
    name: 'Gists',
    description: '',
    tools: [{ serverKey: 'github', name: 'create_gist' }],
    by: 'rules',
  },
];

/** Prompts and resources of the servers. */
export const sampleOffers: readonly Omit<SearchHit, 'score' | 'matched'>[] = [
  {
    kind: 'prompt',
    serverKey: 'github',
    name: 'triage_issues',
    description: 'Sorts the open issues of a repository and says which ones come first.',
    enabled: true,
    risk: 'unstated',
    isClassified: false,
    skills: [],
  },
  {
    kind: 'resource',
    serverKey: 'filesystem',
    name: 'file:///home/ada/issues/README.md',
    title: 'How issues are written here',
    enabled: true,
    risk: 'unstated',
    isClassified: false,
    skills: [],
  },
];

import { type Problem, toProblem } from '../../../shared/error/problem.ts';
import type { ImportPreview } from '../../../shared/model/import-session.ts';
import type { HubLifecycle } from '../lifecycle/hub-run.ts';
import { readAddLink } from './add-link.ts';

export interface FollowLinkOptions {
  readonly hub: Pick<HubLifecycle, 'settled' | 'hub'>;
  readonly showWindow: () => void;
  readonly showPreview: (preview: ImportPreview) => void;
  readonly showRefusal: (problem: Problem) => void;
}

/** Opens a preview of what a link would add; the user decides whether to add it. Never rejects. */
export async function followLink(link: string, options: FollowLinkOptions): Promise<void> {
  const { hub, showWindow, showPreview, showRefusal } = options;
  showWindow();
  const read = readAddLink(link);
  if (!read.ok) return showRefusal(read.problem);
  try {
    await hub.settled(hubTimeoutMs);
    showPreview(ofLink(await hub.hub.run('import.parse', { text: read.text })));
  } catch (error) {
    showRefusal(toProblem(error));
  }
}

function ofLink(preview: ImportPreview): ImportPreview {
  return { ...preview, title: 'A link', issues: [warning, ...preview.issues] };
}

const warning = {
  severity: 'warning',
  path: '',
  message:
    'A link asked Patchbay to add this server. Add it only if you trust its author; it can do anything you can on this computer.',
} as const;

/** Milliseconds to wait for a starting hub. */
const hubTimeoutMs = 10_000;

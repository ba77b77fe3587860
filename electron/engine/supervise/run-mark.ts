/** Identifies one start of a server, or of another program that runs briefly. */
export interface RunMark {
  /** Pid of the process that started it and must end it. */
  readonly owner: number;
  /** Distinguishes the owner from a later process with the same pid; see `processIdentity`. */
  readonly ownerIdentity: string;
  /** Digest of the owner's cgroup, empty if the system has none. */
  readonly place: string;
  readonly id: string;
}

/** Returns the variable's value for a child with this tag, appended to the tags of this program. */
export function extendRuns(runs: string | undefined, mark: RunMark): string {
  const { owner, ownerIdentity, place, id } = mark;
  const text = [String(owner), ownerIdentity, place, id].map(encodeURIComponent).join('/');
  return runs === undefined || runs === '' ? text : `${runs},${text}`;
}

/** Parses the tags of such a value, outermost first; skips what is invalid. */
export function readRuns(runs: string | undefined): readonly RunMark[] {
  return (runs ?? '').split(',').flatMap((text) => {
    const [owner, ownerIdentity, place, id, ...rest] = text.split('/').map(decode);
    const pid = Number(owner);
    if (!Number.isSafeInteger(pid) || pid < 1 || rest.length > 0) return [];
    return ownerIdentity === undefined || place === undefined || !id
      ? []
      : [{ owner: pid, ownerIdentity, place, id }];
  });
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

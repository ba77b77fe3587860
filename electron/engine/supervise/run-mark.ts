/** Identifies one start of a server, or of another program that runs briefly. */
export interface ProcessTag {
  /** Pid of the process that started it and must end it. */
  readonly owner: number;
  /** Distinguishes the owner from a later process with the same pid; see `processIdentity`. */
  readonly ownerIdentity: string;
  /** Digest of the owner's cgroup, empty if the system has none. */
  readonly cgroup: string;
  readonly id: string;
}

/** Returns the variable's value for a child with this tag, appended to the tags of this program. */
export function appendTag(value: string | undefined, tag: ProcessTag): string {
  const { owner, ownerIdentity, cgroup, id } = tag;
  const text = [String(owner), ownerIdentity, cgroup, id].map(encodeURIComponent).join('/');
  return value === undefined || value === '' ? text : `${value},${text}`;
}

/** Parses the tags of such a value, outermost first; skips what is invalid. */
export function readTags(value: string | undefined): readonly ProcessTag[] {
  return (value ?? '').split(',').flatMap((text) => {
    const [owner, ownerIdentity, cgroup, id, ...rest] = text.split('/').map(decode);
    const pid = Number(owner);
    if (!Number.isSafeInteger(pid) || pid < 1 || rest.length > 0) return [];
    return ownerIdentity === undefined || cgroup === undefined || !id
      ? []
      : [{ owner: pid, ownerIdentity, place: cgroup, id }];
  });
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

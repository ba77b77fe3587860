/** One run of one server, or of something that is asked for a moment. */
export interface RunMark {
  /** Process that started it and has to end it. */
  readonly owner: number;
  /** See `processIdentity`: tells the owner from a later process with the same pid. */
  readonly ownerIdentity: string;
  /** Where the system's service manager has put the owner, see `readPlace`; empty where there is no such thing. */
  readonly place: string;
  readonly id: string;
}

/** The variable's value for what `mark` runs, below the runs that this program itself belongs to. */
export function extendRuns(runs: string | undefined, mark: RunMark): string {
  const { owner, ownerIdentity, place, id } = mark;
  const text = [String(owner), ownerIdentity, place, id].map(encodeURIComponent).join('/');
  return runs === undefined || runs === '' ? text : `${runs},${text}`;
}

/** The marks in such a value, outermost first; what is no mark is left out. */
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

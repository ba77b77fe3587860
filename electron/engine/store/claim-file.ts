import { link, writeFile } from 'node:fs/promises';
import { errorCode, readTextIfExists } from './atomic-file.ts';
import { draftOf } from './drafts.ts';
import { processIdentity, processLife } from './process-identity.ts';
import { removeFile, replaceFile, whileHeld } from './replace-file.ts';

/** What a file says of the process that claims something by it. */
export interface ProcessClaim {
  readonly pid: number;
  /** From processIdentity: tells a living owner from a stranger with the same pid. */
  readonly identity: string;
}

/** The claim of this process. */
export async function ownClaim(): Promise<ProcessClaim> {
  return { pid: process.pid, identity: (await processIdentity(process.pid)) ?? 'unknown' };
}

type LifeOf = typeof processLife;

/**
 * Puts a claim at `file` unless a living process has one there; what a dead one left is taken over, and never that of one
 * which may live. Resolves to whether the claim now stands; remove the file to give it up.
 */
export function claimFile(file: string, claim: ProcessClaim, lifeOf: LifeOf = processLife): Promise<boolean> {
  return claimAt(file, { claim, lifeOf }, 0);
}

/** The claim as it stands; undefined when there is none or it cannot be read. */
export async function readClaim(file: string): Promise<ProcessClaim | undefined> {
  const text = await readTextIfExists(file).catch(() => undefined);
  return text === undefined ? undefined : parseClaim(text);
}

function parseClaim(text: string): ProcessClaim | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isClaim(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const maxAttempts = 5;
const maxDepth = 3;

interface Attempt {
  readonly claim: ProcessClaim;
  readonly lifeOf: LifeOf;
}

async function claimAt(file: string, attempted: Attempt, depth: number): Promise<boolean> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (await create(file, attempted.claim)) return true;
    const text = await readTextIfExists(file);
    // Given up a moment ago.
    if (text === undefined) continue;
    return (await isLeft(text, attempted)) && depth < maxDepth && inherit(file, attempted, depth);
  }
  return false;
}

/**
 * Many may find the same dead claim. Only who holds the claim to its succession replaces it, in one step, so that the
 * file is never absent and nobody replaces a successor.
 */
async function inherit(file: string, attempted: Attempt, depth: number): Promise<boolean> {
  const succession = `${file}.next`;
  if (!(await claimAt(succession, attempted, depth + 1))) return false;
  try {
    const text = await readTextIfExists(file);
    if (text === undefined || !(await isLeft(text, attempted))) return false;
    await withDraft(file, attempted.claim, (draft) => replaceFile(draft, file));
    return true;
  } finally {
    await removeFile(succession);
  }
}

/** Whether a claim is a dead process's, or nothing that a process can have written. */
async function isLeft(text: string, { lifeOf }: Attempt): Promise<boolean> {
  const owner = parseClaim(text);
  return owner === undefined || (await lifeOf(owner)) === 'gone';
}

/** Linking a finished file is atomic and refuses an existing one, so no reader ever sees half a record. */
async function create(file: string, claim: ProcessClaim): Promise<boolean> {
  try {
    await withDraft(file, claim, (draft) => whileHeld(() => link(draft, file)));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** A finished record beside the file, gone afterwards, also when the disk has no room for it. */
async function withDraft(
  file: string,
  claim: ProcessClaim,
  place: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = draftOf(file);
  try {
    await writeFile(draft, JSON.stringify(claim), { mode: 0o600 });
    await place(draft);
  } finally {
    await removeFile(draft);
  }
}

function isClaim(value: unknown): value is ProcessClaim {
  return (
    typeof value === 'object' &&
    value !== null &&
    'pid' in value &&
    typeof value.pid === 'number' &&
    'identity' in value &&
    typeof value.identity === 'string'
  );
}

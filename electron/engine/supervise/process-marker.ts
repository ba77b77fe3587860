import { readFile } from 'node:fs/promises';
import { ancestorsVariable, readAncestors } from '../../../shared/model/loop.ts';

/**
 * The hubs and commands above a process, outermost first, as its environment names them. Empty for a process that is
 * not ours to look into, or where the system does not show environments (all but Linux).
 */
export async function readMarker(pid: number): Promise<readonly string[]> {
  const environ = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  const start = `\0${environ}`.indexOf(`\0${ancestorsVariable}=`);
  if (start === -1) return [];
  const value = environ.slice(start + ancestorsVariable.length + 1);
  return readAncestors(value.slice(0, endOf(value)));
}

function endOf(value: string): number {
  const end = value.indexOf('\0');
  return end === -1 ? value.length : end;
}

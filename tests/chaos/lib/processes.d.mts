export interface FoundProcess {
  readonly pid: number;
  /** `NAME=value` pairs, each between two zero characters. */
  readonly environment: string;
  readonly command: string;
}

export function processesWhere(isOurs: (found: FoundProcess) => boolean): readonly FoundProcess[];

export function isAlive(pid: number): boolean;

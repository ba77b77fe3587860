/** Program to start, with arguments, environment and folder. */
export interface Program {
  /** File to run, already found. */
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

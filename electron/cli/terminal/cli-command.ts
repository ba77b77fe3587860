import type { Command } from 'commander';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Arguments that the parser accepts and the command does not. */
export interface UsageError {
  readonly kind: 'usage';
  readonly text: string;
}

/** A command of `patchbay`: how its arguments are read, and what runs it. */
export interface CliCommand<Args> {
  describe(command: Command, want: (args: Args | UsageError) => void): void;
  /** Resolves to the exit code. */
  run(args: Args, env: Environment): Promise<number>;
}

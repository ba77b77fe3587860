/** How a child process ended. */
export interface ChildExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Facts about a child for explaining a failure. */
export interface ChildFacts {
  /** Safe to show. */
  readonly command: string;
  readonly resolved?: string;
  /** Arguments with variables expanded; never shown. */
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly exit?: ChildExit;
  /** End of its stderr. */
  readonly stderr: readonly string[];
  /** End of its stdout, except messages. */
  readonly stdout: readonly string[];
}

export type Evidence = Readonly<Record<string, string | undefined>>;

/** Orders the facts by what a person asks first. */
export function childEvidence(facts: ChildFacts): Evidence {
  return {
    command: facts.command,
    'resolved file': facts.resolved,
    folder: facts.cwd,
    [endLabel]: facts.exit === undefined ? undefined : describeExit(facts.exit),
    'last stderr lines': facts.stderr.length === 0 ? '(nothing)' : lines(facts.stderr),
    'last stdout lines': facts.stdout.length === 0 ? undefined : lines(facts.stdout),
  };
}

export const endLabel = 'ended with';

function lines(texts: readonly string[]): string {
  return texts
    .slice(-maxEvidenceLines)
    .map((text) => (text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text))
    .join('\n');
}

const maxEvidenceLines = 12;
const maxLineLength = 400;

export function describeExit({ code, signal }: ChildExit): string {
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}

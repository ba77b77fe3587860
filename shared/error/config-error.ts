/** Reason why a configuration file was rejected (specification, ERR-1). */
export type ConfigErrorCode = 'file_not_found' | 'invalid_json' | 'invalid_schema' | 'missing_env_var';

/** One thing wrong with a configuration, with its place in the file. */
export interface ConfigIssue {
  readonly code: ConfigErrorCode;
  /** Path inside the file, for example `mcpServers.postgres.env.DATABASE_URL`; empty for the whole file. */
  readonly path: string;
  readonly message: string;
  /** One-based position in the text, where it is known. */
  readonly line?: number;
  readonly column?: number;
  /** The name of the missing environment variable, for `missing_env_var`. */
  readonly variable?: string | undefined;
}

/** Holds every issue of a configuration; `code` is the code of the first one. */
export class ConfigError extends Error {
  readonly code: ConfigErrorCode;
  readonly issues: readonly ConfigIssue[];
  readonly file: string;

  constructor(file: string, issues: readonly [ConfigIssue, ...ConfigIssue[]]) {
    super(issues.map((issue) => issue.message).join('\n'));
    this.name = 'ConfigError';
    this.file = file;
    this.issues = issues;
    this.code = issues[0].code;
  }
}

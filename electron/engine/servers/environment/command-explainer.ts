import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { CommandExplanation } from '../../../../shared/model/server/command.ts';
import type { Clock } from '../../base/clock.ts';
import { isSecretName } from '../../base/mask/secret-name.ts';
import { hasSecretShape } from '../../base/mask/secret-shape.ts';
import { createRedactor, type Redact } from '../log/redact.ts';
import { secretsOf } from '../log/secret-values.ts';
import { createProcessTag } from '../process/orphans/create-process-tag.ts';
import type { LaunchTarget, ServerConfig } from '../server-config.ts';
import { childEnvironment, type Environment } from './child-env.ts';
import type { EnvironmentSource } from './environment-source.ts';
import { explainCommand } from './explain-command.ts';
import { type EnvironmentReading, inheritedReading } from './login-env.ts';

export interface CommandExplainerOptions {
  readonly clock: Clock;
  /** Environment that servers inherit, and its source if known. */
  readonly env: () => Promise<Environment>;
  readonly environment?: EnvironmentSource;
  /** See `SupervisorOptions`; commands are looked up as they are for a start. */
  readonly instanceId: string;
  readonly defaultCwd: string;
}

export interface CommandExplainer {
  /**
   * Explains which file the command of a stdio server runs, and which other files it could mean. It runs them
   * to get their versions, so the answer is cached for a few seconds. Rejects with ProblemError if the server
   * has no command.
   */
  explain(config: ServerConfig): Promise<CommandExplanation>;
}

export function createCommandExplainer(options: CommandExplainerOptions): CommandExplainer {
  return new Explainer(options);
}

interface CacheEntry {
  readonly expiresAt: number;
  readonly fingerprint: string;
  /** Replaced as a whole when anything in it changes. */
  readonly env: Environment;
  readonly explanation: Promise<CommandExplanation>;
}

class Explainer implements CommandExplainer {
  readonly #options: CommandExplainerOptions;
  readonly #cached = new Map<string, CacheEntry>();

  constructor(options: CommandExplainerOptions) {
    this.#options = options;
  }

  async explain(config: ServerConfig): Promise<CommandExplanation> {
    const target = targetOf(config);
    const reading = await this.#reading();
    const now = this.#options.clock.now();
    this.#removeExpired(now);
    const { key, fingerprint } = config;
    const known = this.#cached.get(key);
    if (known?.fingerprint === fingerprint && known.env === reading.env) return known.explanation;
    const explanation = this.#explain(config, target, reading);
    this.#cached.set(key, { expiresAt: now + cacheMs, fingerprint, env: reading.env, explanation });
    return explanation;
  }

  async #reading(): Promise<EnvironmentReading> {
    const { env, environment } = this.#options;
    return environment === undefined ? inheritedReading(await env()) : environment.reading();
  }

  async #explain(
    config: ServerConfig,
    target: Stdio,
    reading: EnvironmentReading,
  ): Promise<CommandExplanation> {
    const { instanceId, defaultCwd } = this.#options;
    const { command, env: entry, cwd = defaultCwd } = target;
    const written = config.written?.command;
    const tag = await createProcessTag();
    const explanation = await explainCommand({
      command,
      ...(written === undefined ? {} : { written }),
      env: childEnvironment({ inherited: reading.env, entry, instanceId }),
      askWith: childEnvironment({
        inherited: reading.env,
        entry: withoutSecrets(entry),
        instanceId,
        ...(tag === undefined ? {} : { tag }),
      }),
      cwd,
      reading,
    });
    return redacted(explanation, createRedactor(secretsOf(config)));
  }

  #removeExpired(now: number): void {
    for (const [key, { expiresAt: until }] of this.#cached) if (until <= now) this.#cached.delete(key);
  }
}

/** Milliseconds: long enough to look, read, and look again. */
const cacheMs = 10_000;

type Stdio = Extract<LaunchTarget, { kind: 'stdio' }>;

function targetOf({ key, target }: ServerConfig): Stdio {
  if (!target.ok) throw new ProblemError(target.problem);
  if (target.value.kind === 'stdio') return target.value;
  const sentence = `The server "${key}" is remote, so it has no command.`;
  throw new ProblemError(problem('app.invalid_request', sentence, 'Check its URL instead.'));
}

/** Removes secrets: no program needs one to print its version. */
function withoutSecrets(entry: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const plain = Object.entries(entry).filter(
    ([name, value]) => !isSecretName(name) && !hasSecretShape(value),
  );
  return Object.fromEntries(plain);
}

/** Masks secrets that came into a path through a variable in `command` or in the entry's PATH. */
function redacted(explanation: CommandExplanation, redact: Redact): CommandExplanation {
  return {
    ...explanation,
    command: redact(explanation.command),
    candidates: explanation.candidates.map(({ file, realFile, reason, ...rest }) => ({
      ...rest,
      file: redact(file),
      ...(realFile === undefined ? {} : { realFile: redact(realFile) }),
      reason: redact(reason),
    })),
    searched: explanation.searched.map((folder) => ({ ...folder, folder: redact(folder.folder) })),
  };
}

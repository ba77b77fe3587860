import type { Cause } from './cause.ts';

/**
 * Every failure that a user can see, by stable code. The code is for programs and for searching; the sentence
 * is for people and is never parsed.
 */
export const problemCodes = [
  'config.file_not_found',
  'config.unreadable',
  'config.unwritable',
  'config.invalid_json',
  'config.invalid_schema',
  'config.missing_env_var',
  'config.missing_secret',
  'config.placeholder',
  'config.duplicate_key',
  'config.unknown_server',
  'config.changed_meanwhile',
  'server.command_not_found',
  'server.spawn_failed',
  'server.exited_before_handshake',
  'server.handshake_timeout',
  'server.handshake_failed',
  'server.crashed',
  'server.keeps_failing',
  'server.nonconforming',
  'server.list_failed',
  'server.list_cut',
  'server.no_tools',
  'server.unhealthy',
  'server.stateful_shared',
  'server.too_many_instances',
  'server.unreachable',
  'server.unauthorized',
  'server.sign_in_failed',
  'server.key_needed',
  'server.key_refused',
  'server.client_id_needed',
  'server.loop',
  'server.stop_failed',
  'tool.invalid_definition',
  'tool.name_clash',
  'resource.uri_clash',
  'tool.name_refused',
  'call.unknown_tool',
  'call.unknown_prompt',
  'call.unknown_resource',
  'call.tool_disabled',
  'call.tool_held',
  'call.stopped',
  'call.outside_profile',
  'call.not_allowed',
  'call.token_needed',
  'call.identity_ended',
  'call.approval_denied',
  'call.approval_timeout',
  'call.approvals_full',
  'call.server_unavailable',
  'call.outcome_unknown',
  'call.timeout',
  'call.circuit_open',
  'call.idempotency_mismatch',
  'call.draining',
  'call.queue_full',
  'client.unclear',
  'client.unable',
  'client.gone',
  'client.unknown',
  'client.config_unusable',
  'client.config_changed',
  'client.config_wiped',
  'client.config_edited',
  'client.running',
  'client.proof_failed',
  'client.not_connected',
  'client.no_launcher',
  'secret.invalid_name',
  'secret.no_value',
  'secret.invalid_value',
  'secret.exists',
  'secret.unknown',
  'secret.in_use',
  'import.unreadable',
  'import.closed',
  'import.bad_bundle',
  'tester.invalid_arguments',
  'tester.busy',
  'tester.run_gone',
  'tester.unknown_check',
  'tester.too_many_checks',
  'tester.checks_unreadable',
  'profile.unknown',
  'profile.unreadable',
  'profile.exists',
  'profile.in_use',
  'profile.undo_gone',
  'search.settings_unreadable',
  'search.provider_failed',
  'skill.unknown',
  'guard.changed_meanwhile',
  'guard.undo_gone',
  'access.unknown_identity',
  'access.identity_exists',
  'access.unknown_grant',
  'access.approval_gone',
  'access.unreadable',
  'access.unsaved',
  'access.lost',
  'activity.gone',
  'activity.export_failed',
  'backup.unreadable',
  'backup.newer',
  'backup.changed',
  'backup.wrong_passphrase',
  'backup.short_passphrase',
  'backup.undo_gone',
  'backup.incomplete',
  'hub.already_running',
  'hub.port_in_use',
  'hub.data_folder_unwritable',
  'hub.no_data_folder',
  'hub.disk_full',
  'hub.settings_unreadable',
  'hub.bad_limit',
  'hub.newer_data',
  'hub.secrets_unreadable',
  'hub.database_unreadable',
  'hub.busy',
  'hub.activity_stopped',
  'hub.audit_incomplete',
  'hub.unreachable',
  'hub.turned_off',
  'hub.version_mismatch',
  'app.refused_link',
  'app.open_failed',
  'app.save_failed',
  'app.update_unreachable',
  'app.update_refused',
  'app.update_failed',
  'app.invalid_request',
  'internal',
] as const;

export type ProblemCode = (typeof problemCodes)[number];

/** One fact that proves a failure. */
export interface Evidence {
  readonly label: string;
  readonly value: string;
}

/**
 * A failure as a value: it crosses processes, is shown to people and never carries a secret. Its schema is in
 * `problem-schema.ts`, so that programs which only create problems (the bridge) need no schema library.
 */
export interface Problem {
  readonly code: ProblemCode;
  /** Says in one sentence what went wrong. */
  readonly sentence: string;
  /** Tells the reader what to do about it, as an instruction. */
  readonly fix: string;
  /** Facts that prove the failure: command, resolved path, exit code, last stderr lines. */
  readonly evidence: readonly Evidence[];
  /** Absent if no known cause was found. */
  readonly cause?: Cause | undefined;
}

/** An error that carries a {@link Problem}; thrown inside a program, turned into the value at a boundary. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.sentence, options);
    this.name = 'ProblemError';
    this.problem = problem;
  }
}

/** Builds a {@link Problem}; evidence entries whose value is undefined are left out. */
export function problem(
  code: ProblemCode,
  sentence: string,
  fix: string,
  evidence: Readonly<Record<string, string | number | undefined>> = {},
): Problem {
  const facts = Object.entries(evidence).flatMap(([label, value]) =>
    value === undefined ? [] : [{ label, value: String(value) }],
  );
  return { code, sentence, fix, evidence: facts };
}

/**
 * Returns the problem for any thrown value; anything that is not a {@link ProblemError} becomes `internal`.
 */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof ProblemError) return thrown.problem;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return problem(
    'internal',
    `Something unexpected failed: ${message}`,
    'Try again. If it happens again, report it with the log.',
  );
}

/** Common reasons why a server does not start or answer, found in its output or in the network's errors. */
export const causeCodes = [
  'package_not_found',
  'version_not_found',
  'registry_refused',
  'registry_unreachable',
  'package_unusable',
  'cache_damaged',
  'program_missing',
  'program_outdated',
  'file_missing',
  'path_missing',
  'module_missing',
  'syntax_error',
  'variable_missing',
  'key_missing',
  'argument_missing',
  'argument_unknown',
  'printed_help',
  'port_in_use',
  'docker_not_running',
  'docker_denied',
  'image_not_found',
  'container_name_taken',
  'permission_denied',
  'not_executable',
  'out_of_memory',
  'killed',
  'disk_full',
  'certificate',
  'proxy',
  'host_not_found',
  'connection_refused',
  'asks_question',
  'web_server',
  'web_page',
  'own_error',
] as const;

export type CauseCode = (typeof causeCodes)[number];

/** The known reason behind a problem, for the button that helps. */
export interface Cause {
  readonly code: CauseCode;
  /** The package, program, file, variable, argument, port, image, host or address that it is about. */
  readonly subject?: string | undefined;
}

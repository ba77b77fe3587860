/** Actor of command line operations in the audit log. */
export const commandLine = 'the command line';

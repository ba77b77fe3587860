/** Who does what a command asks for, in the audit log. */
export const commandLine = 'the command line';

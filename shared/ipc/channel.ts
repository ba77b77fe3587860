/**
 * The only two channels between window and main process. The name of the call or event is the first argument;
 * the main process checks it against the contract table.
 */
export const callChannel = 'patchbay:call';
export const eventChannel = 'patchbay:event';

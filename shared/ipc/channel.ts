/**
 * The only two channels between window and main process. Which call or event is meant travels as the first
 * argument and is checked against the contract table by the main process.
 */
export const callChannel = 'patchbay:call';
export const eventChannel = 'patchbay:event';

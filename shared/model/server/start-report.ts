/**
 * Set to `json` by a bridge for the hub it starts: if the start fails, the hub's last line on stderr is the
 * problem as JSON.
 */
export const startReportVariable = 'PATCHBAY_START_REPORT';

/**
 * Set to `json` by a bridge for the hub it starts: where the start fails, the hub's last line on standard error is then
 * the problem as JSON.
 */
export const startReportVariable = 'PATCHBAY_START_REPORT';

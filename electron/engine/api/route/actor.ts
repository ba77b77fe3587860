/** What the audit calls whoever has the admin token. */
export const actor = 'the REST API';

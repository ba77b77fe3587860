/** Names callers with the admin token in the audit log. */
export const actor = 'the REST API';

/**
 * Member of `_meta` in the one call of a connection proof. The hub records only the size of the answer,
 * because its content is private. Honoured only for calls without arguments.
 */
export const proofMember = 'patchbay/proof';

/**
 * In `_meta` of the one call of a proof that a connection works: what is answered is nobody's business, so that the hub
 * keeps of it only its size. It counts for a call without arguments alone.
 */
export const proofMember = 'patchbay/proof';
